import type { ElementHandle } from 'playwright';
import { beginsWithLabel } from '../network/labels.js';
import { isSameText } from '../network/comments.js';
import type { SiteTab } from './site-tab.js';

const boxes = 'form textarea';
const buttons = ':is(button, [role="button"])';

/** The box in which comments on the open post are written. The page replaces it by another one when it gets the focus. */
export class CommentBox {
  constructor(
    private readonly tab: SiteTab,
    private readonly shownTimeoutMs: number,
  ) {}

  /** Writes a text into the box without sending it. @throws ReloadNeededError the first time the box is absent or keeps another text, then row 16. */
  async write(text: string): Promise<void> {
    const box = await this.require();
    if (!(await this.tab.click(box))) throw this.tab.missing('comment box that can be clicked');
    const focused = await this.tab.look(() => this.find(), this.shownTimeoutMs);
    if (!focused) throw this.tab.missing('comment box with the focus');
    await this.tab.inPage(async () => {
      if (!(await focused.evaluate((element) => element === document.activeElement))) await focused.focus();
    });
    if ((await this.text()) !== '') await this.tab.inPage(() => focused.fill(''));
    await this.tab.type(text);
    const isWritten = await this.tab.look(async () => (isSameText((await this.text()) ?? '', text) ? true : null), this.shownTimeoutMs);
    if (!isWritten) throw this.tab.missing('comment box that keeps its text');
  }

  /** The box. @throws ReloadNeededError the first time it is absent, then StopError row 16. */
  require(): Promise<ElementHandle> {
    return this.tab.require('comment box', () => this.find());
  }

  /**
   * Writes behind what the page has put into the box, such as the name of somebody who is answered. @throws as `write`.
   * @param beginning what the box must contain; it is written too where the page has not put it there
   */
  async writeAfter(beginning: string, text: string): Promise<void> {
    const isThere = await this.tab.look(
      async () => (((await this.text()) ?? '').trimStart().startsWith(beginning.trim()) ? true : null),
      this.shownTimeoutMs,
    );
    if (!isThere) return this.write(`${beginning}${text}`);
    const box = await this.tab.require('comment box', () => this.find());
    await this.tab.inPage(async () => {
      await box.focus();
      await this.tab.page.keyboard.press('End');
    });
    await this.tab.type(text);
    const whole = `${beginning}${text}`;
    const isWritten = await this.tab.look(async () => (isSameText((await this.text()) ?? '', whole) ? true : null), this.shownTimeoutMs);
    if (!isWritten) throw this.tab.missing('comment box that keeps its text');
  }

  /** Sends what is written, by the form's button or, where there is none, by Enter. @returns false when nothing was sent. */
  async send(announce: () => Promise<void>): Promise<boolean> {
    const button = await this.tab.look(() => this.sendButton(), this.shownTimeoutMs);
    if (button) return this.tab.click(button, announce);
    await this.tab.pressEnter(announce);
    return true;
  }

  /** Waits until the box is empty, as it is after a comment was accepted. @returns false when it is not in time. */
  async waitUntilEmpty(): Promise<boolean> {
    const isEmpty = await this.tab.look(async () => ((await this.text()) === '' ? true : null), this.shownTimeoutMs);
    return isEmpty ?? false;
  }

  /** What is written in the box; null when there is no box. */
  private async text(): Promise<string | null> {
    const box = await this.find();
    return box && this.tab.inPage(() => box.evaluate((element) => (element as HTMLTextAreaElement).value));
  }

  private find(): Promise<ElementHandle | null> {
    return this.tab.inPage(async () => {
      for (const box of await this.tab.page.$$(boxes)) {
        const names = [await box.getAttribute('aria-label'), await box.getAttribute('placeholder')];
        if (names.some((name) => beginsWithLabel('commentBox', name)) && (await box.isVisible())) return box;
      }
      return null;
    });
  }

  /** The button that sends: by its word, or the submit button of the form. */
  private async sendButton(): Promise<ElementHandle | null> {
    const box = await this.find();
    const form = box && (await this.tab.inPage(() => box.evaluateHandle((element) => (element as HTMLTextAreaElement).form))).asElement();
    if (!form) return null;
    const named = await this.tab.findLabelled(buttons, ['publish'], form);
    return named?.element ?? this.tab.inPage(() => form.$('button[type="submit"]'));
  }
}
