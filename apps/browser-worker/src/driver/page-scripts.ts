/**
 * Functions that run inside the page. They only read. Playwright sends their source text, so none of them may use anything outside itself.
 * They never select by class name: those change with every build of the site.
 */
import type { DialogContent } from '../network/signals.js';

/** Every visible dialog, menu and fixed banner outside articles, in document order. */
export function describeDialogs(): DialogContent[] {
  const isVisible = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  const textOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ?? (textOf(element) || (element.querySelector('svg[aria-label]')?.getAttribute('aria-label') ?? ''));
  const describe = (root: Element, role: DialogContent['role']): DialogContent => {
    const texts: string[] = [];
    // Only lists of people are larger: a few hundred elements are enough to classify a dialog.
    const elements = [...root.querySelectorAll('*')].slice(0, 400);
    for (const element of elements) {
      if (element.children.length === 0 && !element.closest('a') && isVisible(element)) {
        const text = textOf(element);
        if (text && text.length < 400) texts.push(text);
      }
    }
    const label = root.getAttribute('aria-label');
    return {
      role,
      headings: [
        ...[...root.querySelectorAll('h1,h2,h3,[role="heading"]')]
          .filter((heading) => !heading.closest('a'))
          .slice(0, 10)
          .map(textOf),
        ...(label ? [label] : []),
      ],
      texts: texts.slice(0, 40),
      buttons: [...root.querySelectorAll('button,[role="button"],[role="menuitem"]')].slice(0, 60).map(nameOf),
      links: [...root.querySelectorAll('a[href]')]
        .slice(0, 60)
        .map((link) => new URL((link as HTMLAnchorElement).href, location.href).pathname),
    };
  };
  const isOuter = (element: Element) => !element.closest('article') && !element.querySelector('article') && isVisible(element);
  const dialogs = [...document.querySelectorAll('[role="dialog"],[role="alertdialog"],[role="menu"]')].filter(isOuter);
  const contents = dialogs.map((dialog) => describe(dialog, dialog.getAttribute('role') === 'menu' ? 'menu' : 'dialog'));
  // Banners have no role: they are fixed elements with buttons, outside dialogs and navigation.
  const banners = [...document.body.children, ...document.querySelectorAll('body > * > *')].filter(
    (element) =>
      isOuter(element) &&
      getComputedStyle(element).position === 'fixed' &&
      element.querySelector('button,[role="button"]') !== null &&
      !element.closest('nav,[role="navigation"]') &&
      element.querySelector('nav,[role="navigation"],[role="dialog"],[role="menu"],a[href="/direct/inbox/"]') === null &&
      element.closest('[role="dialog"],[role="menu"]') === null,
  );
  return [...contents, ...banners.map((banner) => describe(banner, 'banner'))];
}

/** The button that answers a comment, which is found by its author and its text; null while the page does not show it. */
export function findReplyButton(wanted: { username: string; text: string; words: readonly string[] }): Element | null {
  const clean = (text: string | null | undefined) => (text ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
  const nameOf = (button: Element) =>
    clean(button.getAttribute('aria-label') ?? (button.textContent || button.querySelector('svg[aria-label]')?.getAttribute('aria-label')));
  const text = clean(wanted.text);
  for (const button of document.querySelectorAll('button,[role="button"]')) {
    if (!wanted.words.includes(nameOf(button))) continue;
    // The comment is the smallest part of the page around the button that also names the author.
    let comment: Element | null = button.parentElement;
    while (comment && !comment.querySelector(`a[href^="/${wanted.username}/" i]`)) comment = comment.parentElement;
    const others = comment
      ? [...comment.querySelectorAll('button,[role="button"]')].filter((other) => wanted.words.includes(nameOf(other)))
      : [];
    if (comment && others.length === 1 && clean(comment.textContent).includes(text)) return button;
  }
  return null;
}

/** A conversation as the page shows it. */
export interface ShownConversation {
  /** Messages that are shown, the newest first: the heading that says who sent it, its text, and what stands beside it. */
  readonly messages: readonly { readonly heading: string; readonly text: string; readonly state: readonly string[] }[];
  /** The network's own texts around the messages. */
  readonly notes: readonly string[];
  /** Whether there is a box to write into. */
  readonly hasBox: boolean;
}

/** The open conversation, on its own page or in the small window over a profile; null when there is none. */
export function readConversation(): ShownConversation | null {
  const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const list = [...document.querySelectorAll('[data-pagelet="IGDMessagesList"]')].at(-1);
  if (!list) return null;
  const box = '[contenteditable="true"][role="textbox"]';
  // The smallest part of the page that contains the messages and what stands below them.
  let root: Element = list;
  while (
    root.parentElement &&
    root.parentElement !== document.body &&
    !root.querySelector(box) &&
    root.parentElement.querySelectorAll('[data-pagelet="IGDMessagesList"]').length === 1 &&
    root.parentElement.getAttribute('role') !== 'main' &&
    root.parentElement.tagName !== 'MAIN'
  )
    root = root.parentElement;
  const rowOf = (bubble: Element) => {
    let row = bubble;
    while (row.parentElement && row.parentElement !== list && row.parentElement.querySelectorAll('[role="article"]').length === 1)
      row = row.parentElement;
    return row;
  };
  const messages = [...list.querySelectorAll('[role="article"]')].map((bubble) => {
    const heading = bubble.querySelector('h1,h2,h3,h4,h5,h6,[role="heading"]');
    const text = bubble.querySelector<HTMLElement>('[dir="auto"]') ?? (bubble as HTMLElement);
    const beside = [...rowOf(bubble).querySelectorAll('*')].filter((element) => !bubble.contains(element) && element.children.length === 0);
    return {
      heading: clean(heading?.textContent),
      text: clean(text.innerText),
      state: beside
        .flatMap((element) => [clean(element.textContent), clean(element.closest('svg')?.getAttribute('aria-label'))])
        .filter(Boolean),
    };
  });
  const notes = [...root.querySelectorAll('*')]
    .filter((element) => element.children.length === 0 && !list.contains(element) && !element.closest('a, [role="textbox"]'))
    .map((element) => clean(element.textContent))
    .filter((text) => text !== '' && text.length < 400);
  return { messages, notes, hasBox: root.querySelector(box) !== null };
}

/** What `findNamed` looks for. */
export interface NamedSearch {
  readonly selector: string;
  /** Texts of each label as `normal` makes them, the preferred label first. */
  readonly texts: readonly (readonly string[])[];
  /** Element to search in; null for the whole page. */
  readonly root: Element | null;
  /** What is returned: the element, or the index of its label in `texts`. */
  readonly returns: 'element' | 'label';
}

/**
 * The first visible element of a selector that has one of the labels; an element with an earlier label is preferred, and null when there is none.
 * Names of an element are its label, its text, and the texts and labels of the elements inside it. Not Playwright's selectors: they
 * send each new document a script of 340 KB, which costs more processor time than everything else that a look does.
 */
export function findNamed({ selector, texts, root, returns }: NamedSearch): Element | number | null {
  const textOf = (one: Element) => (one.textContent ?? '').replace(/\s+/g, ' ').trim();
  const namesOf = (element: Element) => {
    const inside = [...element.querySelectorAll('*')];
    const words = inside.filter((one) => one.children.length === 0 && !one.closest('svg')).map(textOf);
    const labels = inside.map((one) => one.getAttribute('aria-label') ?? '');
    return [element.getAttribute('aria-label') ?? '', textOf(element), ...words, ...labels];
  };
  // As `normal` in labels.ts.
  const plain = (name: string) =>
    name
      .normalize('NFC')
      .replace(/\s+/gu, ' ')
      .trim()
      .replace(/[.…]+$/u, '')
      .trim()
      .toLocaleLowerCase('pt-BR');
  const hasSize = ({ width, height }: DOMRect) => width > 0 && height > 0;
  const isVisible = (node: Node): boolean => {
    if (!(node instanceof Element)) {
      const range = document.createRange();
      range.selectNode(node);
      return node instanceof Text && hasSize(range.getBoundingClientRect());
    }
    const { display, visibility } = getComputedStyle(node);
    // Such an element has no box of its own.
    if (display === 'contents') return [...node.childNodes].some(isVisible);
    return visibility === 'visible' && node.checkVisibility() && hasSize(node.getBoundingClientRect());
  };
  let best: { element: Element; label: number } | null = null;
  for (const element of (root ?? document).querySelectorAll(selector)) {
    const names = namesOf(element).map(plain);
    const label = texts.findIndex((accepted) => names.some((name) => accepted.includes(name)));
    if (label >= 0 && (best === null || label < best.label) && isVisible(element)) best = { element, label };
  }
  return best && best[returns];
}

/** The parts of a page by which the driver recognises it, read in one call. */
export interface Landmarks {
  /** True when the document and everything that it embeds is loaded. */
  readonly isLoaded: boolean;
  /** The link to the inbox, which only logged-in people have. */
  readonly hasInbox: boolean;
  /** Paths of the profile links in the navigation bar with the inbox link, in order; the last one is the viewer's own. */
  readonly barLinks: readonly string[];
  readonly hasLoginForm: boolean;
  readonly hasProfileHeader: boolean;
  /** `lang` of the document; may be empty. */
  readonly language: string;
  /** The title, and headings outside the profile header, dialogs and articles. */
  readonly headings: readonly string[];
  /** Texts of the counters in the profile header; null for one that is not there. */
  readonly counters: { readonly followers: string | null; readonly following: string | null };
}

export function readLandmarks(): Landmarks {
  const textOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const inbox = document.querySelector('a[href^="/direct/inbox"]');
  const barLinks: string[] = [];
  for (let bar = inbox?.parentElement ?? null; bar && bar !== document.body && barLinks.length === 0; bar = bar.parentElement) {
    for (const link of bar.querySelectorAll('a[href]')) {
      const path = new URL((link as HTMLAnchorElement).href, location.href).pathname;
      if (/^\/[A-Za-z0-9._]{1,30}\/$/.test(path) && !/^\/(explore|reels|direct|notifications|accounts|stories)\/$/.test(path))
        barLinks.push(path);
    }
  }
  const header = [...document.querySelectorAll('header')].find((one) => !one.closest('article,[role="dialog"]')) ?? null;
  const counter = (list: string) => {
    // Compared by path: the links may have a query (`?next=%2F`).
    const link = [...(header?.querySelectorAll('a[href]') ?? [])].find((one) =>
      new URL((one as HTMLAnchorElement).href, location.href).pathname.endsWith(`/${list}/`),
    );
    if (!link) return null;
    return link.querySelector('[title]')?.getAttribute('title') ?? textOf(link);
  };
  return {
    isLoaded: document.readyState === 'complete',
    hasInbox: inbox !== null,
    barLinks,
    hasLoginForm: document.querySelector('input[name="password"],input[name="pass"]') !== null,
    hasProfileHeader: header !== null,
    language: document.documentElement.lang,
    headings: [
      document.title,
      ...[...document.querySelectorAll('h1,h2,h3,[role="heading"]')]
        .filter((one) => !one.closest('header,article,[role="dialog"],a'))
        .map(textOf),
    ].slice(0, 20),
    counters: { followers: counter('followers'), following: counter('following') },
  };
}

/** The element that scrolls a list: inside the topmost dialog, or else inside the page; the document when no element scrolls. */
export function findScrollBox(): Element {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => !dialog.closest('article'));
  const root = dialogs.at(-1) ?? document.querySelector('main') ?? document.body;
  const boxes = [root, ...root.querySelectorAll('*')].filter(
    (element) => /auto|scroll/.test(getComputedStyle(element).overflowY) && element.clientHeight > 40,
  );
  boxes.sort((one, other) => other.scrollHeight - one.scrollHeight);
  return boxes[0] ?? document.scrollingElement ?? document.documentElement;
}

/** Resolves when the page has drawn two frames: what it does about an earlier scroll has begun by then. A page that is not visible draws nothing. */
export function drawTwoFrames(): Promise<void> {
  const mostMs = 10_000;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, mostMs);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    requestAnimationFrame(() => requestAnimationFrame(end));
  });
}

/** What `findPostHeart` looks for. Labels are in lower case. */
export interface HeartSearch {
  readonly hearts: readonly string[];
  readonly beside: readonly string[];
  /** What is returned: the heart's button, or the label of its picture. */
  readonly returns: 'button' | 'label';
}

/**
 * The button of a post's own heart: the picture is at least 20 px wide and shares its section with the pictures beside it. A smaller heart belongs
 * to a comment. Null while there is none.
 */
export function findPostHeart({ hearts, beside, returns }: HeartSearch): Element | string | null {
  const labelOf = (picture: Element) =>
    (picture.getAttribute('aria-label') ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
  for (const picture of document.querySelectorAll('svg[aria-label]')) {
    if (!hearts.includes(labelOf(picture)) || picture.getBoundingClientRect().width < 20) continue;
    const section = picture.closest('section');
    if (!section || picture.closest('li')) continue;
    if (![...section.querySelectorAll('svg[aria-label]')].some((other) => beside.includes(labelOf(other)))) continue;
    const button = picture.closest('button,[role="button"]');
    return returns === 'button' ? button : (button?.querySelector('svg[aria-label]')?.getAttribute('aria-label') ?? null);
  }
  return null;
}

/**
 * The button that shows (more) replies to a comment. A button belongs to the comment whose author and time stand first in the smallest part of the
 * page around both.
 * @param words labels of such buttons in lower case, without numbers
 * @param threads ids of comments at the top level, by `username seconds`: lower case, seconds since 1970
 */
export function findRepliesButton({
  words,
  threads,
  wanted,
}: {
  words: readonly string[];
  threads: Readonly<Record<string, string>>;
  wanted: string;
}): Element | null {
  const plain = (text: string) =>
    text
      .normalize('NFC')
      .replace(/[\d.,()\s]+/g, ' ')
      .trim()
      .toLowerCase();
  const keyOf = (part: Element) => {
    const time = part.querySelector('time[datetime]')?.getAttribute('datetime');
    const paths = [...part.querySelectorAll('a[href]')].map((link) => new URL((link as HTMLAnchorElement).href, location.href).pathname);
    const author = paths.map((path) => /^\/([A-Za-z0-9._]{1,30})\/$/.exec(path)?.[1]).find((name) => name !== undefined);
    return time && author ? `${author.toLowerCase()} ${Math.floor(Date.parse(time) / 1000)}` : null;
  };
  const buttons = ':is(main, [role="main"], [role="dialog"]) :is(button, [role="button"])';
  for (const button of document.querySelectorAll(buttons)) {
    const label = button.getAttribute('aria-label') ?? button.querySelector('svg[aria-label]')?.getAttribute('aria-label');
    if (![button.textContent ?? '', label ?? ''].some((name) => words.includes(plain(name)))) continue;
    for (let part = button.parentElement; part && part !== document.body; part = part.parentElement) {
      const key = keyOf(part);
      const thread = key === null ? undefined : threads[key];
      if (thread === wanted) return button;
      if (thread !== undefined) break;
    }
  }
  return null;
}
