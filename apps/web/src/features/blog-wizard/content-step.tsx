import { maxLengths, settingsLimits, usualArticleLength } from '@decola/contracts';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { TextField } from '../../components/ui/field';
import { CheckSegments, SegmentField } from '../../components/ui/segments';
import { TagsField, withTags } from '../../components/ui/tags-field';
import { formatCount } from '../../lib/format';
import { settingsSummary, type TypedSettings } from '../blog-admin/article-settings';
import { Choice, Sources } from '../blog-admin/settings-fields';
import { settingsTexts } from '../blog-admin/texts';
import { Region } from '../wizard/fields/region';
import type { BlogDraft } from './blog-draft';
import { contentStepTexts as texts } from './texts';

interface ContentStepProps {
  draft: BlogDraft;
  onChange: (patch: Partial<BlogDraft>) => void;
  problems: Readonly<Record<string, string>>;
  /** Names of the site's own categories; empty while they are not known. */
  siteCategories: readonly string[];
}

/** What the articles are about, and how they are written. */
export function ContentStep({ draft, onChange, problems, siteCategories }: ContentStepProps) {
  const settings = (patch: Partial<TypedSettings>) => onChange({ settings: { ...draft.settings, ...patch } });
  const sourceProblems = Object.fromEntries(
    Object.entries(problems).flatMap(([field, message]) =>
      field.startsWith('settings ') ? [[field.slice('settings '.length), message]] : [],
    ),
  );
  return (
    <>
      <Region>
        <TextField
          label={texts.theme}
          hint={texts.themeHint}
          error={problems['theme']}
          maxLength={maxLengths.theme}
          value={draft.theme}
          onChange={({ target }) => onChange({ theme: target.value })}
        />
        <TagsField
          label={texts.keywords}
          hint={texts.keywordsHint}
          error={problems['keywords']}
          maxLength={maxLengths.keyword}
          values={draft.keywords}
          onChange={(keywords) => onChange({ keywords })}
        />
        <Categories draft={draft} onChange={onChange} siteCategories={siteCategories} />
      </Region>
      <Region>
        <div>
          <h3 className="text-lg">{texts.ownWay}</h3>
          <p className="mt-1 text-md text-muted">{texts.ownWayHint}</p>
        </div>
        <TextField
          isMultiline
          label={texts.brief}
          hint={texts.briefHint}
          maxLength={settingsLimits.brief}
          value={draft.settings.brief}
          onChange={({ target }) => settings({ brief: target.value })}
        />
        <Length settings={draft.settings} onChange={settings} error={sourceProblems['words']} />
        <Tone settings={draft.settings} onChange={settings} />
        <details className="group border-y border-line" open={Object.keys(sourceProblems).length > 0 || undefined}>
          <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 rounded-control py-2 [&::-webkit-details-marker]:hidden">
            <span className="grid min-w-0 gap-0.5">
              <span className="text-md font-semibold">{texts.more}</span>
              <span className="text-sm text-muted">{settingsSummary(draft.settings)}</span>
            </span>
            <ChevronDown
              className="ml-auto size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180"
              aria-hidden
            />
          </summary>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5 pt-2 pb-6">
            <Sources sources={draft.settings.sources} onChange={(sources) => settings({ sources })} problems={sourceProblems} />
            <Choice
              label={settingsTexts.cover}
              hint={settingsTexts.coverHint}
              isOn={draft.settings.hasCover}
              onChange={(hasCover) => settings({ hasCover })}
            />
            <Choice
              label={settingsTexts.disclosure}
              hint={settingsTexts.disclosureHint}
              isOn={draft.settings.hasDisclosure}
              onChange={(hasDisclosure) => settings({ hasDisclosure })}
            />
          </div>
        </details>
      </Region>
    </>
  );
}

/** More of the site's categories than this are only suggested while one types. */
const mostOffered = 24;

function Categories({ draft, onChange, siteCategories }: Omit<ContentStepProps, 'problems'>) {
  const offered = siteCategories.slice(0, mostOffered);
  return (
    <>
      {offered.length > 0 && (
        <CheckSegments
          legend={texts.offered(offered.length)}
          look="words"
          segments={offered.map((name) => ({ value: name, label: name }))}
          values={draft.categories}
          onChange={(chosen) =>
            onChange({
              categories: withTags(
                draft.categories.filter((name) => !offered.includes(name)),
                chosen.join(','),
              ),
            })
          }
        />
      )}
      <TagsField
        label={texts.categories}
        hint={texts.categoriesHint}
        values={draft.categories}
        onChange={(categories) => onChange({ categories })}
      />
    </>
  );
}

const lengths = {
  short: { min: 600, max: 900 },
  medium: usualArticleLength,
  long: { min: 1_400, max: 2_000 },
} as const;
type LengthName = keyof typeof lengths;

interface SettingProps {
  settings: TypedSettings;
  onChange: (patch: Partial<TypedSettings>) => void;
}

function Length({ settings: { min, max }, onChange, error }: SettingProps & { error: string | undefined }) {
  const chosen = (Object.keys(lengths) as LengthName[]).find(
    (name) => String(lengths[name].min) === min && String(lengths[name].max) === max,
  );
  const words = (from: number, to: number) => texts.words(formatCount(from), formatCount(to));
  const label = (name: string, detail: string) => (
    <>
      <span className="block">{name}</span> <span className="block text-xs font-normal">{detail}</span>
    </>
  );
  return (
    <SegmentField
      legend={texts.length}
      value={chosen ?? 'own'}
      error={error}
      onChange={(value) => value in lengths && onChange(typedLength(lengths[value as LengthName]))}
      segments={[
        ...(Object.keys(lengths) as LengthName[]).map((name) => ({
          value: name,
          label: label(texts.lengths[name], words(lengths[name].min, lengths[name].max)),
        })),
        // A length that was set elsewhere stays until another one is chosen.
        ...(chosen ? [] : [{ value: 'own', label: label(texts.lengths.own, words(Number(min), Number(max))) }]),
      ]}
    />
  );
}

const typedLength = ({ min, max }: { min: number; max: number }) => ({ min: String(min), max: String(max) });

const usual = '';
const other = '\u0000';

function Tone({ settings: { tone }, onChange }: SettingProps) {
  const isListed = tone === usual || texts.tones.includes(tone);
  const [isOther, setOther] = useState(!isListed);
  return (
    <>
      <SegmentField
        legend={texts.tone}
        value={isOther ? other : tone}
        onChange={(value) => {
          setOther(value === other);
          onChange({ tone: value === other ? (isListed ? '' : tone) : value });
        }}
        segments={[
          { value: usual, label: texts.usualTone },
          ...texts.tones.map((name) => ({ value: name, label: name })),
          { value: other, label: texts.otherTone },
        ]}
      />
      {isOther && (
        <TextField
          label={texts.otherToneLabel}
          hint={texts.otherToneHint}
          maxLength={settingsLimits.tone}
          value={tone}
          onChange={({ target }) => onChange({ tone: target.value })}
        />
      )}
    </>
  );
}
