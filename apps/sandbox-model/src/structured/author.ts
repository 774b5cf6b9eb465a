import { headingsOf, pointOf, summaryOf, titleOf, type Topic, topicOf } from '../prose/headlines.js';
import { capitalized, sentences, speech } from '../prose/sentences.js';
import { aspects, fields, manners, niches } from '../prose/vocabulary.js';
import { type Random, randomOf } from '../random/random.js';
import type { Brief } from '../requests/brief.js';
import { claimsIn } from './claims.js';
import type { Author, JsonSchema, Place } from './json-schema.js';

/** Items of the lists that a plan of articles has. */
const lengths: Record<string, number> = { topics: 5, tags: 4, points: 3, sections: 6 };
/** Sections that link to another page. */
const linkingSections = 2;

/** `focus_keyword` and `focusKeyword` are the same name. */
const nameOf = (part: string | number | undefined) => (typeof part === 'string' ? part.replace(/_/g, '').toLowerCase() : '');

/** The member that a value belongs to, and its index when it is an item of a list. */
function memberAt(place: Place): { name: string; index: number } {
  const last = place.at(-1);
  return typeof last === 'number' ? { name: nameOf(place.at(-2)), index: last } : { name: nameOf(last), index: 0 };
}

/** The last list that the value is within: `{name: 'sections', index: 2}`. */
function listAround(place: Place): { name: string; index: number } | undefined {
  const at = place.findLastIndex((part) => typeof part === 'number');
  return at < 1 ? undefined : { name: nameOf(place[at - 1]), index: place[at] as number };
}

const slugOf = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 70)
    .replace(/-[^-]*$/, (end) => (text.length > 70 ? '' : end))
    .replace(/^-|-$/g, '');

/** Writes the answers of a request: topics, outlines, reviews, and plausible words wherever another schema asks for something else. */
export function authorOf(brief: Brief, ...seed: (string | number)[]): Author {
  const random = (place: Place): Random => randomOf('structured', ...seed, ...place);
  const topics = new Map<number, Topic>();
  /** The topic of the answer, or of the item of a list of topics. */
  const topicAt = (place: Place): Topic => {
    const at = place.findIndex((part) => nameOf(part) === 'topics');
    const isList = at >= 0;
    const index = isList ? Number(place[at + 1]) : 0;
    const made = topics.get(index) ?? (isList ? newTopic(index) : onlyTopic());
    topics.set(index, made);
    return made;
  };
  /** Topics take turns over the keywords. */
  const keywordOf = (index: number) => brief.keywords[index % brief.keywords.length] ?? '';
  const newTopic = (index: number): Topic => {
    const keyword = keywordOf(index).toLowerCase();
    const earlier = [...topics.values()].map(({ title }) => title);
    return topicOf(randomOf('topic', ...seed, index), keyword, [...brief.texts, ...earlier]);
  };
  const onlyTopic = (): Topic => {
    const [focusKeyword = ''] = brief.keywords;
    // A title that only repeats the keyword was typed by nobody: it stands for one that is still to be found.
    const isFound = brief.title !== undefined && brief.title.toLowerCase() !== focusKeyword.toLowerCase();
    return { focusKeyword, title: isFound ? brief.title! : titleOf(randomOf('title', ...seed), focusKeyword) };
  };
  const headings = headingsOf(randomOf('headings', ...seed), lengths['sections'] ?? 1);
  const tagsOf = (place: Place) => {
    const draw = random(place.slice(0, -1));
    const [niche, aspect] = [draw.deck(niches), draw.deck(aspects)];
    return [brief.keywords[0]?.slice(0, 40) ?? aspect(), aspect(), niche(), aspect(), niche(), aspect()];
  };
  const claims = claimsIn([...brief.texts, brief.text]);

  return {
    length: (place) => {
      const { name } = memberAt(place);
      if (name === 'linkrefs') return (listAround(place)?.index ?? 0) < Math.min(linkingSections, brief.links.length) ? 1 : 0;
      if (name === 'claims') return claims.length;
      if (name === 'problems' || name === 'issues') return 0;
      return lengths[name];
    },
    isNull: (place) => memberAt(place).name === 'factref',
    choice: (place, options) => {
      const { name } = memberAt(place);
      if (name === 'level') return options.includes(2) ? 2 : options[0];
      if (name === 'verdict') return options.find((each) => /un|not|sem|n[aã]o|invent|fals/i.test(String(each))) ?? options.at(-1);
      return random(place).pick(options);
    },
    number: (place, { minimum, maximum }: JsonSchema) => {
      const { name, index } = memberAt(place);
      if (name === 'level') return 2;
      if (name === 'linkrefs') return Number(brief.links[(listAround(place.slice(0, -1))?.index ?? index) % brief.links.length]?.ref ?? 0);
      const top = maximum ?? highestScore(brief.text);
      return minimum === undefined ? Math.round(top * 0.8 * 10) / 10 : minimum + Math.round((top - minimum) * 0.8);
    },
    text: (place) => {
      const { name, index } = memberAt(place);
      const topic = topicAt(place);
      const draw = random(place);
      const say = speech(draw, draw.pick(fields));
      switch (name) {
        case 'title':
        case 'metatitle':
          return topic.title.length > 60 ? topic.title.slice(0, 61).replace(/\s+\S*$/, '') : topic.title;
        case 'slug':
          return slugOf(topic.title);
        case 'focuskeyword':
        case 'keyword':
          return topic.focusKeyword;
        case 'metadescription':
          return summaryOf(draw, topic.focusKeyword, 115, 152);
        case 'excerpt':
          return summaryOf(draw, topic.focusKeyword, 115, 195);
        case 'category':
          return brief.categories.length > 0 ? draw.pick(brief.categories) : 'Marketing digital';
        case 'tags':
          return tagsOf(place)[index] ?? 'conteúdo';
        case 'heading':
          return headings[(listAround(place)?.index ?? 0) % headings.length] ?? topic.title;
        case 'points':
          return pointOf(draw, draw.pick(fields));
        case 'linkrefs':
          return brief.links[(listAround(place.slice(0, -1))?.index ?? index) % brief.links.length]?.ref ?? '';
        case 'cluster':
          return keywordOf(listAround(place)?.index ?? 0);
        case 'intent':
          return 'informativa';
        case 'angle':
          return `${capitalized(say.manner())}, para quem quer ${say.infinitive()} ${say.object()}`;
        case 'imagealt':
          return `Mesa de trabalho onde alguém vai ${say.infinitive()} ${say.object()}`;
        case 'imagebrief':
          return `Cena calma de trabalho, luz de janela, cores suaves, sem letras: ${say.infinitive()} ${say.object()}, ${draw.pick(manners)}`;
        case 'verdict':
          return 'invented';
        case 'quote':
          return claims[(listAround(place)?.index ?? 0) % Math.max(1, claims.length)] ?? '';
        default:
          return sentences(draw, say).plain();
      }
    },
  };
}

/** The end of the scale that the prompt names, such as `de 0 a 10`; 5 when it names none. */
function highestScore(text: string): number {
  return Number(/\b[01]\s*(?:a|-|–|até|to)\s*(5|10|100)\b/.exec(text)?.[1] ?? 5);
}
