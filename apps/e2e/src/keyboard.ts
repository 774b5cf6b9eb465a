import type { Locator, Page } from '@playwright/test';
import { expect } from './journey.js';

/** Presses of Tab after which a control counts as out of reach. */
const mostPresses = 250;

/** What a person does who has no mouse: presses keys, and sees where the focus is. */
export class Keyboard {
  constructor(private readonly page: Page) {}

  /** Presses Tab, or Shift and Tab, until the control has the focus, and asserts that the focus can be seen there. */
  async to(control: Locator, { back = false } = {}): Promise<void> {
    await expect(control).toBeVisible();
    for (let presses = 0; presses < mostPresses; presses += 1) {
      if (await this.isAt(control)) return this.expectSeen(control);
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    }
    throw new Error(`Tab does not reach ${control.toString()}`);
  }

  /** Goes to a button or link and presses it. */
  async press(control: Locator, options?: { back?: boolean }): Promise<void> {
    await this.to(control, options);
    await this.page.keyboard.press('Enter');
  }

  /** Goes to a switch, checkbox or radio button and presses the space bar. */
  async toggle(control: Locator, options?: { back?: boolean }): Promise<void> {
    await this.to(control, options);
    await this.page.keyboard.press('Space');
  }

  /** Goes to a field, and replaces what it holds. */
  async fill(field: Locator, text: string, options?: { back?: boolean }): Promise<void> {
    await this.to(field, options);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }

  /** Goes to a group of radio buttons, and to the option with the arrow keys. */
  async choose(group: Locator, option: Locator): Promise<void> {
    const radios = group.getByRole('radio');
    const focused = group.page().locator(':focus');
    for (let presses = 0; (await radios.and(focused).count()) === 0; presses += 1) {
      if (presses === mostPresses) throw new Error(`Tab does not reach ${group.toString()}`);
      await this.page.keyboard.press('Tab');
    }
    await this.page.keyboard.press('Space');
    for (let presses = 0; presses < (await radios.count()) && !(await option.isChecked()); presses += 1)
      await this.page.keyboard.press('ArrowDown');
    await expect(option).toBeChecked();
    await this.expectSeen(option);
  }

  /** Goes down to an entry of the menu that was just opened, and presses it. The menu moves the focus a moment after each key. */
  async pick(name: string): Promise<void> {
    const entries = this.page.getByRole('menuitem');
    const wanted = entries.filter({ hasText: name });
    await expect(entries.first()).toBeFocused();
    for (let next = 1; !(await this.isAt(wanted)); next += 1) {
      await this.page.keyboard.press('ArrowDown');
      await expect(entries.nth(next)).toBeFocused();
    }
    await this.page.keyboard.press('Enter');
  }

  private isAt = async (control: Locator) => control.evaluate((element) => element === document.activeElement);

  /** The focused control, or what stands for it, has an outline or a shadow, and nothing lies over all of it, such as a header that stays at the top. */
  private async expectSeen(control: Locator): Promise<void> {
    await expect
      .poll(() =>
        control.evaluate((element) => {
          // A radio button may lie, invisible, over the option that shows its focus.
          const shown = [element, element.closest('label')].filter((each) => each !== null);
          const isMarked = shown.some((each) => {
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
            return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
          });
          const { left, top, right, bottom } = (element.closest('label') ?? element).getBoundingClientRect();
          const points = [0.1, 0.5, 0.9].flatMap((x) =>
            [0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, top + (bottom - top) * y] as const),
          );
          const isUncovered = points.some(([x, y]) => {
            const hit = document.elementFromPoint(x, y);
            return hit !== null && shown.some((each) => each.contains(hit) || hit.contains(each));
          });
          return { isMarked, isUncovered };
        }),
      )
      .toEqual({ isMarked: true, isUncovered: true });
  }
}

/** Asserts that the page does not scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
}
