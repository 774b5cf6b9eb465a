import type { FastifyReply, FastifyRequest } from 'fastify';
import { languageOf } from '../calls/language.js';
import { setCsrf } from '../calls/request-check.js';
import { newCsrfToken } from '../state/sessions.js';
import type { World } from '../state/world.js';
import { type Language, type TextName, texts } from '../texts/texts.js';

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Documents without the application: log-in, challenges, suspension. */
export class PlainPages {
  constructor(private readonly world: World) {}

  /** @param isWrong a log-in was tried: nobody has a password on this network, so it always fails */
  login(request: FastifyRequest, reply: FastifyReply, isWrong = false): FastifyReply {
    const language = languageOf(request, null);
    const words = texts[language];
    const { classes, traits } = this.world.build;
    const [user, secret] = traits.isDrift ? ['email', 'pass'] : ['username', 'password'];
    if (!request.cookies.csrftoken) setCsrf(reply, newCsrfToken());
    return reply.type('text/html; charset=utf-8').send(
      this.html(
        language,
        'Instagram',
        `<main role="main"><form class="${classes.form}" id="loginForm" method="post" action="/accounts/login/">
${isWrong ? `<div role="alert">${escapeHtml(words.loginWrong)}</div>` : ''}
<label>${escapeHtml(words.loginName)}<input class="${classes.field}" name="${user}" type="text" aria-label="${escapeHtml(words.loginName)}"></label>
<label>${escapeHtml(words.password)}<input class="${classes.field}" name="${secret}" type="password" aria-label="${escapeHtml(words.password)}"></label>
<button class="${classes.button} ${classes.primary}" type="submit"><div>${escapeHtml(words.logIn)}</div></button></form></main>`,
      ),
    );
  }

  /** A page with one heading and one sentence. */
  message(request: FastifyRequest, reply: FastifyReply, title: TextName, text: TextName): FastifyReply {
    const language = languageOf(request, null);
    const words = texts[language];
    const { classes } = this.world.build;
    return reply
      .type('text/html; charset=utf-8')
      .send(
        this.html(
          language,
          words[title],
          `<main role="main" class="${classes.message}"><h2>${escapeHtml(words[title])}</h2><p>${escapeHtml(words[text])}</p></main>`,
        ),
      );
  }

  private html(language: Language, title: string, body: string): string {
    return `<!DOCTYPE html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="/static/bundles/${this.world.build.revision}.css"></head><body>${body}</body></html>`;
  }
}
