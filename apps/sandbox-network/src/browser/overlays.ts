import type { TextName } from '../texts/texts.js';
import type { Dom } from './dom.js';
import type { Answer } from './transport.js';
import type { Boot } from './types.js';

/**
 * Everything over the page: dialogs, menus, banners and refusals. The browser receives the source text of this function, so it may use
 * only its parameters and the browser's globals.
 */
export function createOverlays({ texts, interruptions, drawings }: Boot, { h, icon, on, css }: Dom) {
  const layer = h('div');

  /** @returns a function that closes the dialog. */
  const openDialog = (label: string, content: HTMLElement, whenClosed: () => void = () => {}): (() => void) => {
    const shade = h('div', { class: css('shade') });
    const dialog = h('div', { class: css('dialog'), role: 'dialog', 'aria-label': label, 'aria-modal': 'true' }, content);
    shade.append(dialog);
    const close = (): void => {
      if (!shade.isConnected) return;
      shade.remove();
      removeEventListener('keydown', escape);
      whenClosed();
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') close();
    };
    on(shade, 'click', (event) => {
      if (event.target === shade) close();
    });
    addEventListener('keydown', escape);
    layer.append(shade);
    return close;
  };

  const closeButton = (close: () => void): HTMLElement =>
    on(h('div', { class: css('close'), role: 'button', tabindex: 0 }, icon(texts.close, drawings.cross, 18)), 'click', close);

  /** A question with buttons; `act` runs after the dialog has closed. */
  const ask = (title: string, text: string, choices: { word: string; act?: () => void }[]): void => {
    const content = h(
      'div',
      { class: css('menu') },
      h('h2', { class: css('title') }, title),
      text ? h('div', { class: css('text') }, text) : null,
    );
    const close = openDialog(title, content);
    for (const { word, act } of choices)
      content.append(
        on(h('button', { class: css('choice'), type: 'button' }, h('div', {}, word)), 'click', () => {
          close();
          act?.();
        }),
      );
  };

  /** The menu that the button "Following" opens. */
  const openMenu = (title: string, items: { word: string; act?: () => void }[]): void => {
    const content = h('div', { class: css('menu') }, h('div', { class: css('title') }, title));
    const close = openDialog(title, content);
    for (const { word, act } of items)
      content.append(
        on(h('div', { class: css('choice'), role: 'button', tabindex: 0 }, h('div', {}, h('span', {}, word))), 'click', () => {
          close();
          act?.();
        }),
      );
  };

  const toast = (text: string): void => {
    const bar = h('div', { class: css('notice'), role: 'alert' }, text);
    layer.append(bar);
    setTimeout(() => bar.remove(), 6_000);
  };

  /** Shows the dialog or the page that belongs to a refusal. */
  const showRefusal = (answer: Answer): void => {
    if (answer.kind === 'ok') return;
    const { body } = answer;
    const word = (name: string): string => (typeof body?.[name] === 'string' ? body[name] : '');
    const message = word('message') || word('error_type');
    if (message === 'feedback_required') {
      return ask(word('feedback_title') || texts.tryLater, word('feedback_message') || texts.tryLaterText, [
        { word: word('feedback_appeal_label') || texts.tellUs },
        { word: word('feedback_ignore_label') || texts.ok },
      ]);
    }
    if (message === 'checkpoint_required' || message === 'challenge_required')
      return location.assign(word('checkpoint_url') || '/challenge/');
    if (message === 'login_required') return location.assign('/accounts/login/');
    if (answer.status === 401 || answer.status === 429) return ask(texts.wait, '', [{ word: texts.ok }]);
    toast(texts.wentWrong);
  };

  const interruptionAct: Partial<Record<Boot['interruptions'][number], () => void>> = {
    notifications: () => ask(texts.notificationsTitle, texts.notificationsHint, [{ word: texts.turnOn }, { word: texts.notNow }]),
    save_login: () => ask(texts.saveLoginTitle, texts.saveLoginHint, [{ word: texts.saveInfo }, { word: texts.notNow }]),
    cookie_banner: () => ask(texts.cookieTitle, '', [{ word: texts.allowCookies }, { word: texts.declineCookies }]),
    home_screen: () => ask(texts.homeScreenTitle, '', [{ word: texts.addToHome }, { word: texts.cancel }]),
    unknown: () => ask(texts.unknownTitle, texts.unknownHint, [{ word: texts.continue }]),
    automation_warning: () => ask(texts.automation, texts.automationText, [{ word: texts.dismiss }]),
    suspicious_login: () => ask(texts.suspiciousTitle, texts.suspiciousText, [{ word: texts.thisWasMe }]),
    feedback_required: () => ask(texts.tryLater, texts.tryLaterText, [{ word: texts.tellUs }, { word: texts.ok }]),
    action_blocked: () => ask(texts.blocked, texts.blockedText, [{ word: texts.tellUs }, { word: texts.ok }]),
    captcha: () =>
      void openDialog(
        texts.confirmYou,
        h(
          'div',
          { class: css('menu') },
          h('h2', {}, texts.confirmYou),
          h('iframe', { title: 'captcha', src: '/challenge/captcha/frame/' }),
        ),
      ),
    app_bar: () => {
      const bar = h(
        'div',
        { class: css('banner') },
        h('button', { class: css('button', 'primary'), type: 'button' }, h('div', {}, texts.useApp)),
      );
      bar.append(closeButton(() => bar.remove()));
      layer.append(bar);
    },
  };

  const interrupt = (): void => {
    for (const kind of interruptions) interruptionAct[kind]?.();
  };

  const text = (name: TextName, values: Record<string, string> = {}): string =>
    texts[name].replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '');

  return { layer, openDialog, closeButton, ask, openMenu, toast, showRefusal, interrupt, text };
}

export type Overlays = ReturnType<typeof createOverlays>;
