/** Text of a form's field; empty when there is no such field or it holds a file. */
export function fieldText(source: FormData | HTMLFormElement, name: string): string {
  const value = (source instanceof FormData ? source : new FormData(source)).get(name);
  return typeof value === 'string' ? value : '';
}
