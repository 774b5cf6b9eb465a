import { prepareSharing } from './share';

const link = 'https://decola.example/blog/um-artigo';
const button = (attribute: string) => document.querySelector<HTMLButtonElement>(`[${attribute}]`)!;
const toast = () => document.getElementById('toast')!.textContent;

function open({ share, canCopy = true }: { share?: (data: ShareData) => Promise<void>; canCopy?: boolean } = {}) {
  document.head.innerHTML = `<link rel="canonical" href="${link}">`;
  document.body.innerHTML =
    '<h1>Um artigo</h1><button data-share hidden>Compartilhar</button><div data-needs-script hidden><button data-copy-link>Copiar link</button></div><p id="toast"></p>';
  const writeText = jest.fn(() => (canCopy ? Promise.resolve() : Promise.reject(new Error('closed'))));
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  prepareSharing();
  return writeText;
}
const press = async (attribute: string) => {
  button(attribute).click();
  await new Promise((resolve) => setTimeout(resolve, 0));
};

it('shows the buttons', () => {
  open();
  expect(button('data-share').hidden).toBe(false);
  expect(document.querySelector<HTMLElement>('[data-needs-script]')!.hidden).toBe(false);
});

it('shares by the browser’s own function', async () => {
  const share = jest.fn(() => Promise.resolve());
  const writeText = open({ share });
  await press('data-share');
  expect(share).toHaveBeenCalledWith({ title: 'Um artigo', url: link });
  expect(writeText).not.toHaveBeenCalled();
});

it('copies the link where the browser cannot share, and says so', async () => {
  const writeText = open();
  await press('data-share');
  expect(writeText).toHaveBeenCalledWith(link);
  expect(toast()).toBe('Link copiado para área de transferência!');
});

it('copies the link when sharing fails, and not when the person decided against it', async () => {
  const failing = open({ share: () => Promise.reject(new Error('no app')) });
  await press('data-share');
  expect(failing).toHaveBeenCalled();
  const closed = open({ share: () => Promise.reject(new DOMException('closed', 'AbortError')) });
  await press('data-share');
  expect([closed.mock.calls.length, toast()]).toEqual([0, '']);
});

it('says when the link could not be copied', async () => {
  open({ canCopy: false });
  await press('data-copy-link');
  expect(toast()).toBe('Não deu para copiar o link');
});

it('removes what it said after a while', async () => {
  open();
  jest.useFakeTimers();
  try {
    button('data-copy-link').click();
    await jest.advanceTimersByTimeAsync(10);
    expect(toast()).not.toBe('');
    await jest.advanceTimersByTimeAsync(4_000);
    expect(toast()).toBe('');
  } finally {
    jest.useRealTimers();
  }
});
