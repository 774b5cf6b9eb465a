import type { StyleName } from '../build/styles.js';
import type { Boot } from './types.js';

type Child = Node | string | null | undefined | false;

/**
 * Creates elements. The browser receives the source text of this function, so it may use only its parameters and the browser's globals.
 */
export function createDom({ classes }: Boot) {
  const css = (...names: StyleName[]): string => names.map((name) => classes[name]).join(' ');

  const h = <Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    attributes: Record<string, string | number | boolean | null | undefined> = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[Tag] => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes))
      if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
    for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
    return element;
  };

  /** A labelled picture as in the site's buttons. */
  const icon = (label: string, drawing: string, size = 24): SVGSVGElement => {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    for (const [name, value] of Object.entries({
      'aria-label': label,
      role: 'img',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'currentColor',
    }))
      svg.setAttribute(name, String(value));
    const title = document.createElementNS('http://www.w3.org/2000/svg', 'title');
    title.textContent = label;
    const shape = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    shape.setAttribute('d', drawing);
    svg.append(title, shape);
    return svg;
  };

  const spinner = (): HTMLElement => h('div', { class: css('spinner'), role: 'progressbar', 'aria-valuetext': '...' });

  const on = <Element extends HTMLElement>(element: Element, type: string, handler: (event: Event) => void): Element => {
    element.addEventListener(type, handler);
    return element;
  };

  return { h, icon, spinner, on, css };
}

export type Dom = ReturnType<typeof createDom>;
