/** Writes a Brazilian number as it is typed: `(11) 98765-4321`. A number with a plus is of another country and stays as it is. */
export function maskedPhone(text: string): string {
  if (text.trimStart().startsWith('+')) return text;
  const digits = text.replace(/\D/g, '').slice(0, 11);
  if (digits.length <= 2) return digits === '' ? '' : `(${digits}`;
  const [area, number] = [digits.slice(0, 2), digits.slice(2)];
  const first = number.length > 8 ? 5 : 4;
  return `(${area}) ${number.slice(0, first)}${number.length > first ? `-${number.slice(first)}` : ''}`;
}

/** What stands after the `@` that the form shows. */
export const withoutAt = (text: string): string => text.replace(/^[\s@]+/, '');

/** Masks what a person types. While they change something in the middle, the mask waits, because it would move the cursor. */
export function maskWhileTyping(input: HTMLInputElement, mask: (text: string) => string): void {
  const masked = mask(input.value);
  if (masked !== input.value && input.selectionStart === input.value.length) input.value = masked;
}
