/** Focuses an element that React renders again after this change, such as the button that opened a form. */
export function focusSoon(element: { readonly current: HTMLElement | null }): void {
  setTimeout(() => element.current?.focus());
}
