/**
 * Functions that run inside the page. They only look, and each is complete in itself because it travels as text. Classes are
 * never used: they change with every build.
 */
import type { DialogSight } from '../network/signals.js';

/** Every visible dialog, menu and fixed banner outside articles, in the page's order. */
export function sightDialogs(): DialogSight[] {
  const isVisible = (element: Element) => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 && getComputedStyle(element).visibility !== 'hidden';
  };
  const textOf = (element: Element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ?? (textOf(element) || (element.querySelector('svg[aria-label]')?.getAttribute('aria-label') ?? ''));
  const describe = (root: Element, role: DialogSight['role']): DialogSight => {
    const texts: string[] = [];
    // Large lists are people, not warnings: the first few hundred elements say what a dialog is.
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
  const sights = dialogs.map((dialog) => describe(dialog, dialog.getAttribute('role') === 'menu' ? 'menu' : 'dialog'));
  // A banner has no role of its own: something fixed that holds buttons, outside dialogs and navigation.
  const banners = [...document.body.children, ...document.querySelectorAll('body > * > *')].filter(
    (element) =>
      isOuter(element) &&
      getComputedStyle(element).position === 'fixed' &&
      element.querySelector('button,[role="button"]') !== null &&
      !element.closest('nav,[role="navigation"]') &&
      element.querySelector('nav,[role="navigation"],[role="dialog"],[role="menu"],a[href="/direct/inbox/"]') === null &&
      element.closest('[role="dialog"],[role="menu"]') === null,
  );
  return [...sights, ...banners.map((banner) => describe(banner, 'banner'))];
}

/** Every name an element may be known by: its label, its text, the texts and the labels of pictures inside. */
export function namesOf(element: Element): string[] {
  const textOf = (one: Element) => (one.textContent ?? '').replace(/\s+/g, ' ').trim();
  const inside = [...element.querySelectorAll('*')];
  const words = inside.filter((one) => one.children.length === 0 && !one.closest('svg')).map(textOf);
  const pictures = inside.map((one) => one.getAttribute('aria-label') ?? '');
  return [...new Set([element.getAttribute('aria-label') ?? '', textOf(element), ...words, ...pictures])].filter((name) => name !== '');
}

/** What tells a page apart from others, read in one go. */
export interface Landmarks {
  /** `a[href="/direct/inbox/"]` or the bar around it: only people who are logged in have it. */
  readonly hasInbox: boolean;
  /** Profile links in the bar that holds the inbox link, in order; the last one is one's own. */
  readonly barLinks: readonly string[];
  readonly hasLoginForm: boolean;
  readonly hasProfileHeader: boolean;
  /** Headings outside the profile header, dialogs and articles, and the title. */
  readonly headings: readonly string[];
  /** Counters of the profile header as the page shows them. */
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
    const link = header?.querySelector(`a[href$="/${list}/"]`);
    if (!link) return null;
    return link.querySelector('[title]')?.getAttribute('title') ?? textOf(link);
  };
  return {
    hasInbox: inbox !== null,
    barLinks,
    hasLoginForm: document.querySelector('input[name="password"],input[name="pass"]') !== null,
    hasProfileHeader: header !== null,
    headings: [
      document.title,
      ...[...document.querySelectorAll('h1,h2,h3,[role="heading"]')]
        .filter((one) => !one.closest('header,article,[role="dialog"],a'))
        .map(textOf),
    ].slice(0, 20),
    counters: { followers: counter('followers'), following: counter('following') },
  };
}

/**
 * The inner element that scrolls a list: in the topmost dialog, else in the page; the document itself when nothing inside
 * scrolls.
 */
export function findScrollBox(): Element {
  const dialogs = [...document.querySelectorAll('[role="dialog"]')].filter((dialog) => !dialog.closest('article'));
  const root = dialogs.at(-1) ?? document.querySelector('main') ?? document.body;
  const boxes = [root, ...root.querySelectorAll('*')].filter(
    (element) => /auto|scroll/.test(getComputedStyle(element).overflowY) && element.clientHeight > 40,
  );
  boxes.sort((one, other) => other.scrollHeight - one.scrollHeight);
  return boxes[0] ?? document.scrollingElement ?? document.documentElement;
}
