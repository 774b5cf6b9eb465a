import { reportView } from './views';

let visibility: DocumentVisibilityState;
let fetched: jest.SpyInstance;
beforeEach(() => {
  jest.useFakeTimers();
  visibility = 'visible';
  jest.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  fetched = jest.fn(() => Promise.resolve(new Response(null, { status: 204 })));
  globalThis.fetch = fetched as unknown as typeof fetch;
  document.head.innerHTML = '<meta name="publishable-key" content="sb_publishable_1">';
  document.body.innerHTML = '<article data-slug="um-artigo"></article>';
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const becomes = (state: DocumentVisibilityState) => {
  visibility = state;
  document.dispatchEvent(new Event('visibilitychange'));
};

it('reports the view of an article once, when it was visible for three seconds', async () => {
  reportView();
  await jest.advanceTimersByTimeAsync(2_990);
  expect(fetched).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(10);
  expect(fetched).toHaveBeenCalledWith(
    '/rest/v1/rpc/increment_article_views',
    expect.objectContaining({
      method: 'POST',
      headers: { apikey: 'sb_publishable_1', 'content-type': 'application/json' },
      body: '{"article_slug":"um-artigo"}',
    }),
  );
  becomes('hidden');
  becomes('visible');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('begins anew when the page was hidden, or opened in the background', async () => {
  visibility = 'hidden';
  reportView();
  await jest.advanceTimersByTimeAsync(10_000);
  becomes('visible');
  await jest.advanceTimersByTimeAsync(2_000);
  becomes('hidden');
  await jest.advanceTimersByTimeAsync(10_000);
  expect(fetched).not.toHaveBeenCalled();
  becomes('visible');
  await jest.advanceTimersByTimeAsync(3_000);
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('reports nothing on other pages, and is not disturbed by a lost report', async () => {
  document.body.innerHTML = '';
  reportView();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(fetched).not.toHaveBeenCalled();
  document.body.innerHTML = '<article data-slug="um-artigo"></article>';
  fetched.mockImplementation(() => Promise.reject(new TypeError('offline')));
  reportView();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(fetched).toHaveBeenCalledTimes(1);
});
