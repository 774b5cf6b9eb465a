import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; later ones win over earlier ones of the same property. */
export function classes(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
