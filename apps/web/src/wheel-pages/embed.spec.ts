import { readFileSync } from 'node:fs';
import path from 'node:path';

const script = readFileSync(path.resolve(__dirname, '../../public/embed/roleta.js'), 'utf8');
const origin = 'https://decola.example';

const frame = (src: string) => {
  const element = document.createElement('iframe');
  element.src = src;
  document.body.append(element);
  return element;
};
const message = (data: unknown, source: Window | null, from = origin) =>
  window.dispatchEvent(new MessageEvent('message', { data, origin: from, source }));

it('is small enough to be in every site', () => expect(Buffer.byteLength(script)).toBeLessThanOrEqual(1_500));

it('takes a wheel’s height from the wheel’s own frame alone, and asks the frames that were there before it', () => {
  const [wheel, other, blog] = [`${origin}/prize-wheel/a?token=x`, `${origin}/prize-wheel/b?token=x`, `${origin}/blog`].map(frame);
  const asked = jest.spyOn(wheel!.contentWindow!, 'postMessage').mockImplementation(() => undefined);
  for (const each of [other, blog]) jest.spyOn(each!.contentWindow!, 'postMessage').mockImplementation(() => undefined);
  Object.defineProperty(document, 'currentScript', { value: { src: `${origin}/embed/roleta.js` }, configurable: true });
  (0, eval)(script);
  expect(asked).toHaveBeenCalledWith({ type: 'decola:ask-height' }, origin);
  expect(blog!.contentWindow!.postMessage).not.toHaveBeenCalled();

  const height = { type: 'decola:height', height: 912.4 };
  message(height, wheel!.contentWindow, 'https://evil.example');
  message(height, blog!.contentWindow);
  message(height, window);
  message({ type: 'other', height: 500 }, wheel!.contentWindow);
  message({ type: 'decola:height', height: '50px;background:url(x)' }, wheel!.contentWindow);
  message(null, wheel!.contentWindow);
  expect(wheel!.style.height).toBe('');
  message(height, wheel!.contentWindow);
  expect([wheel!.style.height, other!.style.height, blog!.style.height]).toEqual(['912px', '', '']);
});
