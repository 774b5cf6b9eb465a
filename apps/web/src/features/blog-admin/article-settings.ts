import { type BlogAutomationSettings, settingsLimits as limits, usualArticleLength } from '@decola/contracts';
import { formatCount } from '../../lib/format';
import { settingsTexts as texts } from './texts';

export interface TypedSource {
  /** Tells the sources apart while their fields change. */
  key: string;
  title: string;
  url: string;
  text: string;
}

/** How the articles of an automation are written, as an administrator types it. */
export interface TypedSettings {
  /** Words of an article. */
  min: string;
  max: string;
  tone: string;
  brief: string;
  sources: TypedSource[];
  hasCover: boolean;
  hasDisclosure: boolean;
}

/** What is wrong, by field: `words`, or `title` and `url` of a source with its key. */
export type SettingsProblems = Readonly<Record<string, string>>;

export const newSource = (): TypedSource => ({ key: crypto.randomUUID(), title: '', url: '', text: '' });

export function typedSettings(settings: BlogAutomationSettings | null | undefined): TypedSettings {
  const { length = usualArticleLength, tone = '', brief = '', sources = [], image = true, disclosure = false } = settings ?? {};
  return {
    min: String(length.min),
    max: String(length.max),
    tone,
    brief,
    sources: sources.map(({ title, url, text }) => ({ ...newSource(), title, url: url ?? '', text })),
    hasCover: image,
    hasDisclosure: disclosure,
  };
}

const isEmptySource = ({ title, url, text }: TypedSource) => `${title}${url}${text}`.trim() === '';

/** What is stored: without what is as usual. What the panel does not show, such as the approval of customers' articles, stays as it is in `before`. */
export function storedSettings(typed: TypedSettings, before: BlogAutomationSettings | null | undefined): BlogAutomationSettings {
  const { length: _, tone: _1, brief: _2, sources: _3, image: _4, disclosure: _5, ...rest } = before ?? {};
  const [min, max] = [Number(typed.min), Number(typed.max)];
  const [tone, brief] = [typed.tone.trim(), typed.brief.trim()];
  const sources = typed.sources
    .filter((source) => !isEmptySource(source))
    .map(({ title, url, text }) => ({ title: title.trim(), url: url.trim() || null, text: text.trim() }));
  return {
    ...rest,
    ...(min === usualArticleLength.min && max === usualArticleLength.max ? {} : { length: { min, max } }),
    ...(tone && { tone }),
    ...(brief && { brief }),
    ...(sources.length > 0 && { sources }),
    ...(typed.hasCover ? {} : { image: false }),
    ...(typed.hasDisclosure && { disclosure: true }),
  };
}

const isWordCount = (typed: string) => /^\d+$/.test(typed) && Number(typed) >= limits.minWords && Number(typed) <= limits.maxWords;

function isHttpsAddress(typed: string): boolean {
  return /^https:\/\//i.test(typed) && URL.canParse(typed);
}

/** What keeps settings from being stored, as sentences for the administrator. */
export function settingsProblems({ min, max, sources }: TypedSettings): SettingsProblems {
  const problems: Record<string, string> = {};
  if (!isWordCount(min) || !isWordCount(max)) problems['words'] = texts.wordsOutside(limits.minWords, limits.maxWords);
  else if (Number(min) > Number(max)) problems['words'] = texts.wordsReversed;
  for (const source of sources.filter((each) => !isEmptySource(each))) {
    if (source.title.trim() === '') problems[`title ${source.key}`] = texts.sourceTitleMissing;
    if (source.url.trim() !== '' && !isHttpsAddress(source.url.trim())) problems[`url ${source.key}`] = texts.sourceUrlWrong;
  }
  return problems;
}

/** "900 a 1.400 palavras · 2 fontes · sem capa" */
export function settingsSummary(typed: TypedSettings): string {
  const sources = typed.sources.filter((source) => !isEmptySource(source)).length;
  return [
    isWordCount(typed.min) && isWordCount(typed.max) && texts.wordRange(formatCount(Number(typed.min)), formatCount(Number(typed.max))),
    typed.tone.trim() && texts.withTone,
    typed.brief.trim() && texts.withBrief,
    sources > 0 && texts.sourceCount(sources),
    !typed.hasCover && texts.withoutCover,
  ]
    .filter(Boolean)
    .join(' · ');
}
