import type { Link, Section } from '../prose/article.js';
import { jsonIn, type Message, textOf } from './messages.js';

type Json = Record<string, unknown>;

/** What the messages of a request ask for, as far as the stand-in understands it. */
export interface Brief {
  /** All messages as one text. */
  text: string;
  keywords: readonly string[];
  /** Title of the article that is asked for; undefined when the model shall find one. */
  title: string | undefined;
  sections: readonly Section[];
  /** Pages that the article may link to. */
  links: readonly Link[];
  categories: readonly string[];
  /** Length wanted, in words. */
  words: number;
  /** Every text in the data of the messages, such as titles, keywords and drafts. */
  texts: readonly string[];
  /** A JSON schema that stands in the messages. */
  schema: Json | undefined;
}

const defaultWords = 1100;
/** Index of the section whose points become a list. */
const listedSection = 2;
const defaultKeyword = 'marketing digital';

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const isSchema = (value: unknown): value is Json => isObject(value) && value['type'] === 'object' && isObject(value['properties']);
const nameOf = (key: string) => key.toLowerCase().replace(/[^a-z]/g, '');

export function briefOf(messages: readonly Message[]): Brief {
  const text = messages.map(textOf).join('\n\n');
  const values = messages.flatMap((message) => jsonIn(textOf(message)));
  const schema = values.map(schemaWithin).find((found) => found !== undefined);
  const facts = values.filter((value) => schemaWithin(value) === undefined);
  const find = (...names: string[]) => firstOf(facts, names);

  const texts = leavesOf(facts);
  const links = linksIn(facts);
  const sections = sectionsOf(find('sections', 'secoes', 'outline', 'roteiro'), links);
  return {
    text,
    keywords: keywordsOf(find('focuskeyword', 'keyword', 'keywords', 'palavrachave', 'palavraschave', 'theme', 'tema'), text),
    title: textIn(find('title', 'titulo')),
    sections: sections.length > 0 ? sections : sectionsOfMarkdown([...texts, text].join('\n')),
    links,
    categories: textsIn(find('categories', 'categorias')),
    words: wordsWanted(find('words', 'palavras', 'length', 'tamanho', 'wordcount'), text),
    texts,
    schema,
  };
}

/** A schema itself, or one wrapped as in `response_format`. */
function schemaWithin(value: unknown): Json | undefined {
  if (isSchema(value)) return value;
  return isObject(value)
    ? Object.values(value)
        .map(schemaWithin)
        .find((found) => found !== undefined)
    : undefined;
}

/**
 * The value of the first of these keys; what stands higher in an object goes before what stands deeper, and later messages before earlier
 * ones. Lists are left out: they tell of other articles.
 */
function firstOf(facts: readonly unknown[], names: readonly string[]): unknown {
  for (const name of names) {
    let level = [...facts].reverse().filter(isObject);
    while (level.length > 0) {
      for (const object of level)
        for (const [key, value] of Object.entries(object)) if (nameOf(key) === name && !isEmpty(value)) return value;
      level = level.flatMap((object) => Object.values(object).filter(isObject));
    }
  }
  return undefined;
}

const isEmpty = (value: unknown) => value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function textsIn(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => (typeof item === 'string' ? item.split(/[,;\n]/) : [])).flatMap((each) => textIn(each) ?? []);
}

function keywordsOf(value: unknown, text: string): string[] {
  const given = textsIn(value);
  if (given.length > 0) return given;
  const said = /(?:palavra-chave|keyword|tema|assunto)[^:\n]{0,30}:\s*["“]?([^"”\n.]{2,80})/i.exec(text)?.[1];
  return [said?.trim().toLowerCase() ?? defaultKeyword];
}

function linksIn(facts: readonly unknown[]): Link[] {
  const found: Link[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isObject(value)) return;
    const ref = value['ref'];
    if (typeof ref === 'number' || typeof ref === 'string') found.push({ ref: String(ref), title: textIn(value['title']) ?? 'este guia' });
    Object.values(value).forEach(visit);
  };
  facts.forEach(visit);
  return [...new Map(found.map((link) => [link.ref, link])).values()];
}

function sectionsOf(value: unknown, links: readonly Link[]): Section[] {
  const given = Array.isArray(value) ? value : isObject(value) ? value['sections'] : undefined;
  if (!Array.isArray(given)) return [];
  return given.filter(isObject).flatMap((section, index) => {
    const heading = textIn(section['heading'] ?? section['titulo'] ?? section['title']);
    const refs: unknown[] = Array.isArray(section['linkRefs']) ? section['linkRefs'] : [];
    return heading
      ? {
          heading,
          level: Number(section['level']) === 3 ? 3 : 2,
          // One list in an article is enough.
          points:
            index === listedSection && Array.isArray(section['points']) ? section['points'].flatMap((each) => textIn(each) ?? []) : [],
          links: refs.map(String).map((ref) => links.find((link) => link.ref === ref) ?? { ref, title: 'este guia' }),
        }
      : [];
  });
}

/** The headings of an article that stands in the messages, to be written anew. */
function sectionsOfMarkdown(text: string): Section[] {
  return [...text.matchAll(/^(##|###) (.+)$/gm)].map(([, marks = '', heading = '']) => ({
    heading: heading.trim(),
    level: marks.length,
    points: [],
    links: [],
  }));
}

function wordsWanted(value: unknown, text: string): number {
  const numbers = isObject(value) || Array.isArray(value) ? Object.values(value).filter((each) => typeof each === 'number') : [value];
  const said = /(\d[\d.]*)\s*(?:a|e|-|–|até)\s*(\d[\d.]*)\s*palavras/.exec(text)?.slice(1);
  const given = numbers.every((each) => typeof each === 'number') && numbers.length > 0 ? numbers : undefined;
  const range = given ?? said?.map((each) => Number(each.replace(/\./g, '')));
  if (!range) return defaultWords;
  const middle = Math.round(range.reduce((sum, each) => sum + each, 0) / range.length);
  return middle >= 200 && middle <= 5000 ? middle : defaultWords;
}

function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}
