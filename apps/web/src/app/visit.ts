import { hasStoredSession } from '../lib/stored-session';

/** Which part of the app an address needs. */
export type Visit = 'landing' | 'sign-in' | 'app';

/** Links of mails lead to `/` or `/auth` with a session or an error in the URL, which only the app handles. */
const isMailLink = (href: string) => /[#&?](code|access_token|error|error_code|message)=/.test(href);

/** A visitor with a stored session needs the app at `/auth`, which redirects or asks for the second factor. */
export function visitOf({ pathname, href }: Pick<Location, 'pathname' | 'href'>): Visit {
  if (isMailLink(href)) return 'app';
  if (pathname === '/') return 'landing';
  return pathname === '/auth' && !hasStoredSession() ? 'sign-in' : 'app';
}
