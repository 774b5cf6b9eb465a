import { readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string) => readFileSync(path.join(__dirname, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

type Rgb = readonly [number, number, number];
type Tokens = Readonly<Record<string, string>>;

const declarations = (block: string): Tokens =>
  Object.fromEntries([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6}|\d+%)\s*;/gi)].map(([, name, value]) => [name!, value!]));

/** The tokens of the light theme, and those of the dark theme, which overrides some of the light ones. */
function themes(file: string): Record<'light' | 'dark', Tokens> {
  const [light = '', dark = ''] = read(file).split('@media (prefers-color-scheme: dark)');
  return { light: declarations(light), dark: { ...declarations(light), ...declarations(dark) } };
}

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const mixed = (over: Rgb, under: Rgb, share: number) =>
  over.map((value, index) => value * share + under[index]! * (1 - share)) as unknown as Rgb;

/** Relative luminance and contrast as WCAG 2.2 defines them. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}
function contrast(one: Rgb, other: Rgb): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

const tools = ['follow', 'like', 'comment', 'wheel', 'list', 'post', 'direct', 'story', 'blog'];
const states = ['success', 'warning', 'danger'];
const softs = [...states, 'brand', ...tools].map((name) => `${name}-soft`);
/** Backgrounds: the page, both ends of a panel's gradient, menus, and wells. */
const grounds = ['canvas', 'surface', 'surface-end', 'raised', 'sunken'];

const on = (colours: readonly string[], places: readonly string[]) =>
  colours.flatMap((colour) => places.map((place) => [colour, place] as const));

/** Text needs a contrast of at least 4.5 to 1. `[text, background]` */
const words = [
  ...on(['ink'], [...grounds, ...softs]),
  ...on(['muted'], [...grounds, ...softs]),
  ...on(['brand-text', ...states], grounds),
  // Each colour on its own soft background: badges, notices, hovered soft buttons, the wells of pictures.
  ...[...states, ...tools].map((name) => [name, `${name}-soft`] as const),
  ['brand-text', 'brand-soft'] as const,
  ...on(tools, ['canvas', 'surface', 'surface-end', 'raised']),
  // Text about people in the pictures of the tools, such as 'seguindo'.
  ...on(
    ['success'],
    tools.map((name) => `${name}-soft`),
  ),
  // Text on buttons, on the chosen segment, and in pictures.
  ...on(['on-brand'], ['brand', 'brand-hover', 'brand-press']),
  ['canvas', 'ink'] as const,
  ['surface', 'danger'] as const,
  ...on(['surface'], tools),
];

/** Outlines of controls, marks and lamps need a contrast of at least 3 to 1. `[mark, background]` */
const marks = [
  ...on(['edge', 'ink', 'focus'], grounds),
  ...on(['brand'], ['canvas', 'surface', 'surface-end', 'raised']),
  ...states.flatMap((name) => on([`${name}-lamp`], ['surface', 'surface-end', 'raised', `${name}-soft`])),
  ...on(['danger-lamp'], ['canvas']),
  ...tools.flatMap((name) => on([name], [...grounds, `${name}-soft`])),
  // The symbol on the dial of a finished or a stopped automation.
  ...on(['surface'], ['success', 'danger']),
];

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  const tokens = themes('tokens.css')[theme];
  const wheel = themes('wheel.css')[theme];
  const colour = (name: string, from: Tokens = tokens): Rgb => {
    const value = from[name];
    if (!value?.startsWith('#')) throw new Error(`no colour ${name}`);
    return rgb(value);
  };

  it.each(words)('the word %s is readable on %s', (word, ground) =>
    expect(contrast(colour(word), colour(ground))).toBeGreaterThanOrEqual(4.5),
  );

  it.each(marks)('the mark %s is seen on %s', (mark, ground) => expect(contrast(colour(mark), colour(ground))).toBeGreaterThanOrEqual(3));

  it.each(Array.from({ length: 12 }, (_, hue) => hue))('the prize wheel’s field %d can be read, and its rim is seen', (hue) => {
    const rim = colour(`rim-${hue}`, wheel);
    const field = mixed(rim, colour('surface'), Number.parseInt(wheel['field']!) / 100);
    expect(contrast(colour('ink'), field)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rim, colour('surface'))).toBeGreaterThanOrEqual(3);
  });
});

describe('at night', () => {
  const css = read('landing.css');
  const night = declarations(/\.night,\s*\.closing,\s*\.night-foot \{([^}]*)\}/.exec(css)![1]!);
  /** Backgrounds of the dark sections, each at its brightest point. The closing section lies in the glow of the horizon, with an opacity of 52 %. */
  const fields = ['#14233f', '#070a10', '#17294a', '#10141c', '#080a0f'];
  const glow = mixed([255, 96, 24], rgb('#080a0f'), 0.52);

  it.each(on(['ink', 'muted'], fields))('the word %s is readable on %s', (word, field) => {
    expect(css).toContain(field);
    expect(contrast(rgb(night[word]!), rgb(field))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(on(['follow', 'focus'], fields))('the mark %s is seen on %s', (mark, field) =>
    expect(contrast(rgb(night[mark]!), rgb(field))).toBeGreaterThanOrEqual(3),
  );

  it('the closing call is readable in the glow', () => {
    const words = /\.closing p \{\s*color: (#[0-9a-f]{6})/.exec(css)![1]!;
    expect(contrast(rgb(words), glow)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(rgb(night['ink']!), glow)).toBeGreaterThanOrEqual(4.5);
  });
});
