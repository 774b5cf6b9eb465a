import type { FastifyRequest } from 'fastify';
import type { Session } from '../state/sessions.js';
import { type Language, languages } from '../texts/texts.js';

const known = (tag: string | undefined): Language | null => {
  const short = tag?.trim().toLowerCase().slice(0, 2);
  return languages.find((language) => language === short) ?? null;
};

/** `?hl=`, else the cookie `ig_lang`, else the account's setting, else what the browser accepts, else English. */
export function languageOf(request: FastifyRequest, session: Session | null): Language {
  const accepted = request.headers['accept-language']?.split(',').map(known).find(Boolean);
  return known((request.query as { hl?: string }).hl) ?? known(request.cookies.ig_lang) ?? session?.language ?? accepted ?? 'en';
}
