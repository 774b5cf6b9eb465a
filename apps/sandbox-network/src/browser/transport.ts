import type { OperationName } from '../build/operations.js';
import type { Boot } from './types.js';

export type Answer =
  | { kind: 'ok'; data: Record<string, unknown> }
  | { kind: 'failed'; status: number; body: Record<string, unknown> | null };

type Preloader = [string, string, [], [key: string, content: { __bbox: { result: Record<string, unknown> } }]];

/**
 * The page's calls with the site's headers, tokens and envelopes. The browser receives the source text of this function, so it may use
 * only its parameters and the browser's globals.
 */
export function createTransport(boot: Boot) {
  let number = 0;
  const random = (): string => Math.random().toString(36).slice(2, 8).padEnd(6, '0');
  const remembered = (store: Storage, name: string): string => {
    const value = store.getItem(name) ?? random();
    store.setItem(name, value);
    return value;
  };
  // The first group identifies the browser, the second the tab, the third the load.
  const webSession = `${remembered(localStorage, 'ws')}:${remembered(sessionStorage, 'ws')}:${random()}`;
  const cookie = (name: string): string => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1] ?? '';

  const brought = new Map<string, Record<string, unknown>>();
  for (const { textContent } of document.querySelectorAll('script[data-sjs]:not(#boot)')) {
    const { require } = JSON.parse(textContent) as { require: [string, string, null, [{ __bbox: { require: Preloader[] } }]][] };
    for (const [, , , [box]] of require)
      for (const [, , , [key, { __bbox: preloaded }]] of box.__bbox.require)
        brought.set(key.replace(/^adp_|RelayPreloader_[0-9a-f]+$/g, ''), preloaded.result);
  }

  const headers = (): Record<string, string> => ({
    'x-ig-app-id': innerWidth <= 500 ? '1217981644879628' : '936619743392459',
    'x-csrftoken': cookie('csrftoken'),
    'x-asbd-id': boot.asbdId,
    'x-ig-www-claim': sessionStorage.getItem('www-claim') ?? boot.claim ?? '0',
    'x-web-session-id': webSession,
    'x-ig-max-touch-points': String(navigator.maxTouchPoints),
  });

  const receive = async (response: Response): Promise<Answer> => {
    const claim = response.headers.get('x-ig-set-www-claim');
    if (claim) sessionStorage.setItem('www-claim', claim);
    const text = await response.text();
    let body: Record<string, unknown> | null = null;
    try {
      body = JSON.parse(text.replace(/^for \(;;\);/, '')) as Record<string, unknown>;
    } catch {
      body = null;
    }
    // The body decides about success, not the status: a 500 may carry data, a 200 may be a failure.
    const failed = body === null || body.status === 'fail' || body.error !== undefined || (Array.isArray(body.errors) && !body.data);
    if (failed || body === null || (!response.ok && !body.data && !body.users)) return { kind: 'failed', status: response.status, body };
    return { kind: 'ok', data: body };
  };

  const call = async (path: string, init: RequestInit): Promise<Answer> => {
    try {
      return await receive(await fetch(path, { credentials: 'same-origin', ...init }));
    } catch {
      return { kind: 'failed', status: 0, body: null };
    }
  };

  const rest = (method: 'GET' | 'POST', path: string, form?: Record<string, string>): Promise<Answer> =>
    call(path, {
      method,
      headers: {
        ...headers(),
        'x-requested-with': 'XMLHttpRequest',
        'x-instagram-ajax': boot.revision,
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });

  const graphql = (operation: OperationName, variables: Record<string, unknown>): Promise<Answer> => {
    const { path, rootHeader } = boot.addresses[operation];
    return call(path, {
      method: 'POST',
      headers: {
        ...headers(),
        'content-type': 'application/x-www-form-urlencoded',
        'x-fb-friendly-name': operation,
        'x-fb-lsd': boot.lsd,
        ...(rootHeader === null ? {} : { 'x-root-field-name': rootHeader, 'x-bloks-version-id': boot.bloksVersion }),
      },
      body: new URLSearchParams({
        av: boot.viewer.fbid,
        __d: 'www',
        __user: '0',
        __a: '1',
        __req: (++number).toString(36),
        __hs: '20778.HYP:instagram_web_pkg.2.1...0',
        dpr: String(devicePixelRatio),
        __ccg: 'GOOD',
        __rev: boot.revision,
        __hsi: `75${Date.now()}${String(number).padStart(4, '0')}`,
        __comet_req: '7',
        lsd: boot.lsd,
        jazoest: boot.jazoest,
        fb_dtsg: boot.dtsg,
        fb_api_caller_class: 'RelayModern',
        fb_api_req_friendly_name: operation,
        variables: JSON.stringify(variables),
        server_timestamps: 'true',
        doc_id: boot.docIds[operation],
      }),
    });
  };

  /** The answer to an operation that the document contains; undefined when it contains none that fits. */
  const preloaded = (operation: OperationName, fits: (data: Record<string, unknown>) => boolean): Answer | undefined => {
    const result = brought.get(operation);
    return result && fits(result.data as Record<string, unknown>) ? { kind: 'ok', data: result } : undefined;
  };

  return { rest, graphql, preloaded };
}

export type Transport = ReturnType<typeof createTransport>;
