import { setTimeout as sleep } from 'node:timers/promises';
import type { JSHandle, Page } from 'playwright';

/** Tried one after the other until the picture is small enough. A blurred page of 1280 x 860 px takes about 30 KB at the first one. */
const qualities = [60, 30];

/** A page that shows this is about people: its texts may be theirs. */
const partsOfPeople = `img, image, video, canvas, article, header, li, time, [role='article'], [role='row'], [role='listitem'], [role='textbox']`;
const notice = `:is(main, [role='main'], [role='dialog'], [role='alertdialog'], [role='alert'], [role='status']):not(:has(${partsOfPeople}))`;
const button = `:is(button, [role='button'], [role='menuitem']):not(a, :has(img, image, video, canvas, a),
  :is(li, [role='row'], [role='listitem'], [role='article'], [data-pagelet='IGDMessagesList']) *)`;

/**
 * Blurs everything that may come from people: pictures, and every text that is not known to be the network's own. Only notices without people in them
 * (dialogs, whole pages such as a challenge) and labels of buttons stay readable. Text is blurred by its fill, since a filter on an element would
 * also apply to a notice inside it, and icons, which have the colour of the text, stay visible.
 */
const blurStyle = `
  :root { --people-blurred: 1; }
  :is(img, image, video, canvas, picture, iframe, object, embed, svg text, foreignObject, [style*='background-image']) {
    filter: blur(32px) !important;
    clip-path: inset(0) !important;
  }
  body, body * {
    -webkit-text-fill-color: transparent !important;
    text-shadow: 0 0 18px rgb(128 128 128 / 90%) !important;
  }
  ${notice}, ${notice} *, ${button}, ${button} * {
    -webkit-text-fill-color: currentcolor !important;
    text-shadow: none !important;
  }`;

interface Blur {
  readonly sheet: CSSStyleSheet;
  readonly roots: readonly DocumentOrShadowRoot[];
}

/**
 * A JPEG of what is visible, with other people's content blurred. The page's own elements are not changed: the style is adopted by its document, for
 * the time of the picture, which also works where the page forbids styles of others.
 * @returns null when the picture is larger than `mostBytes`, or was not ready in time. Never throws.
 */
export async function blurredPicture(
  page: Page,
  { timeoutMs, mostBytes }: { timeoutMs: number; mostBytes: number },
): Promise<Buffer | null> {
  const deadline = new AbortController();
  const late = sleep(timeoutMs, null, { signal: deadline.signal }).catch(() => null);
  const picture = takePicture(page, performance.now() + timeoutMs, mostBytes).catch(() => null);
  return Promise.race([picture, late]).finally(() => deadline.abort());
}

async function takePicture(page: Page, deadline: number, mostBytes: number): Promise<Buffer | null> {
  const blur = await page.evaluateHandle(addBlur, blurStyle);
  try {
    for (const quality of qualities) {
      const timeout = deadline - performance.now();
      if (timeout <= 0) return null;
      const picture = await page.screenshot({ type: 'jpeg', quality, caret: 'initial', timeout });
      // Another document may have been loaded meanwhile, without the style: then this fails.
      if (!(await blur.evaluate(isBlurred))) return null;
      if (picture.length <= mostBytes) return picture;
    }
    return null;
  } finally {
    await removeFrom(blur);
  }
}

async function removeFrom(blur: JSHandle<Blur>): Promise<void> {
  await blur.evaluate(removeBlur).catch(() => undefined);
  await blur.dispose().catch(() => undefined);
}

// The functions below run inside the page. Playwright sends their source text, so none of them may use anything outside itself.

function addBlur(style: string): Blur {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const { shadowRoot } of root.querySelectorAll('*')) if (shadowRoot) roots.push(shadowRoot);
  }
  return { sheet, roots };
}

function isBlurred({ sheet }: Blur): boolean {
  return (
    document.adoptedStyleSheets.includes(sheet) && getComputedStyle(document.documentElement).getPropertyValue('--people-blurred') === '1'
  );
}

function removeBlur({ sheet, roots }: Blur): void {
  for (const root of roots) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet);
}
