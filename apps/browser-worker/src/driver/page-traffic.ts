import pTimeout from 'p-timeout';
import type { Frame, Page, Request, Response } from 'playwright';
import { type Answer, type PageCall, parseBody } from '../network/answers.js';
import { preloadedAnswers } from '../network/preloaded.js';
import { isDataPath } from '../network/routes.js';
import { isConnectionFailure, type PageLoad } from '../network/signals.js';
import type { PageViews } from './page-views.js';

/** Much longer than the body of an answer takes after its headers. */
const bodyTimeoutMs = 5_000;

/** @param document number of the document that made the call; an answer to an earlier document may still arrive. */
export type AnswerListener = (answer: Answer, document: number) => void;

export interface TrafficOptions {
  /** Only calls to this origin are read. */
  readonly origin: string;
  /** Counts the documents. */
  readonly views: PageViews;
  /** Called with every answer to a call, before the listeners. */
  readonly onAnswer: (answer: Answer) => void;
  /** Called with every document that was loaded in the main frame. */
  readonly onLoad: (load: PageLoad, response: Response) => void;
}

/** A call of the page, with the number of its document. */
interface SentCall extends PageCall {
  readonly document: number;
}

/** Watches what a page requests and reads what its calls are answered. It sends nothing itself. */
export class PageTraffic {
  private readonly listeners = new Set<AnswerListener>();
  /** Answers whose bodies are being read. */
  private readonly reading = new Set<Promise<void>>();
  private readonly calls = new WeakMap<Request, SentCall>();
  /** Calls whose answers were not read yet, by their newest request: a redirect replaces the request of a call. */
  private readonly unread = new Map<Request, SentCall>();
  /** Calls of the open document. */
  private sent: SentCall[] = [];
  /** Documents by the request that loads them, numbered in the order of the requests. */
  private readonly documents = new WeakMap<Request, number>();
  /** Number of the document that the page shows. */
  private shown = 0;
  /** A document that was received; the page switches to it next. */
  private received: { readonly url: string; readonly document: number } | null = null;
  private failure: string | null = null;

  constructor(
    private readonly page: Page,
    private readonly options: TrafficOptions,
  ) {
    page.on('request', (request) => this.onRequest(request));
    page.on('requestfailed', (request) => this.onFailed(request));
    page.on('response', (response) => this.onResponse(response));
    page.on('framenavigated', (frame) => this.onNavigated(frame));
  }

  /** Why the page's last data call failed on its way; null when it was answered. */
  get lastFailure(): string | null {
    return this.failure;
  }

  /** Calls `listener` with every answer to the page's calls and every answer that a document contains, until the returned function is called. */
  listen(listener: AnswerListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** True while the answer to such a call of the open document was not received and read. */
  awaits(matches: (call: PageCall) => boolean): boolean {
    return [...this.unread.values()].some((call) => call.document === this.shown && matches(call));
  }

  /** True when the open document has made such a call, whether it was answered or not. */
  hasSent(matches: (call: PageCall) => boolean): boolean {
    return this.sent.some(matches);
  }

  /** Waits, for a limited time, until the answers that are arriving have been read. */
  async finishReading(): Promise<void> {
    if (this.reading.size === 0) return;
    await pTimeout(Promise.all(this.reading), { milliseconds: bodyTimeoutMs, fallback: () => undefined });
  }

  /** To be called before a document is loaded: failures of earlier calls no longer matter. */
  forgetFailure(): void {
    this.failure = null;
  }

  private onRequest(request: Request): void {
    const earlier = request.redirectedFrom();
    if (isCall(request)) {
      const call = (earlier && this.calls.get(earlier)) ?? { ...callOf(request), document: this.shown };
      this.calls.set(request, call);
      this.unread.set(request, call);
      if (!earlier) this.sent.push(call);
    }
    // Every document counts, also one that the page opens by itself; the steps of a redirect are one document.
    else if (this.isDocument(request)) {
      if (!earlier) this.options.views.count();
      this.documents.set(request, this.options.views.opened);
    }
  }

  private onFailed(request: Request): void {
    const isOurs = this.unread.delete(request) && isDataPath(callOf(request).path);
    const reason = request.failure()?.errorText ?? '';
    if (isOurs && isConnectionFailure(reason)) this.failure = reason;
  }

  private onResponse(response: Response): void {
    const request = response.request();
    if (request.isNavigationRequest()) {
      if (!this.isDocument(request) || isRedirect(response)) return;
      const document = this.documents.get(request) ?? this.options.views.opened;
      this.received = { url: withoutHash(response.url()), document };
      this.reportLoad(response);
      this.track(this.readDocument(response, document));
      return;
    }
    if (!isCall(request)) return;
    this.failure = null;
    if (isRedirect(response)) this.unread.delete(request);
    else this.track(this.readAnswer(response).finally(() => this.unread.delete(request)));
  }

  /** Until the page switches to a new document, calls are still those of the old one. */
  private onNavigated(frame: Frame): void {
    if (frame !== this.page.mainFrame() || this.received?.url !== withoutHash(frame.url())) return;
    this.shown = this.received.document;
    this.received = null;
    this.sent = [];
  }

  /** True when a document after this one was requested. */
  private isLeft(document: number): boolean {
    return document < this.options.views.opened;
  }

  private track(work: Promise<void>): void {
    const reading = work
      .catch(() => undefined) // an answer that cannot be read is not acted upon
      .finally(() => this.reading.delete(reading));
    this.reading.add(reading);
  }

  private isDocument(request: Request): boolean {
    return request.isNavigationRequest() && request.frame() === this.page.mainFrame();
  }

  private reportLoad(response: Response): void {
    const steps: string[] = [];
    for (let step = response.request().redirectedFrom(); step; step = step.redirectedFrom()) steps.unshift(pathOf(step.url()));
    const finalPath = pathOf(response.url());
    const load = {
      askedPath: steps[0] ?? finalPath,
      redirectPaths: steps.slice(1),
      finalPath,
      status: response.status(),
      isFirst: this.options.views.opened <= 1,
    };
    this.options.onLoad(load, response);
  }

  private async readAnswer(response: Response): Promise<void> {
    const request = response.request();
    const first = firstOf(request);
    const url = new URL(first.url());
    if (url.origin !== this.options.origin || !isDataPath(url.pathname)) return;
    const form = new URLSearchParams(first.postData() ?? '');
    const document = this.calls.get(request)?.document ?? this.shown;
    const answer: Answer = {
      ...callOf(first),
      status: response.status(),
      variables: parseJson(form.get('variables')),
      redirectedTo: first === request ? null : pathOf(response.url()),
      // A page that navigates away discards the body; the status is known all the same.
      ...(await response.text().then(parseBody, () => ({ json: null, further: [], notJson: this.isLeft(document) ? 'left' : 'lost' }))),
    };
    this.options.onAnswer(answer);
    for (const listener of this.listeners) listener(answer, document);
  }

  /** Answers inside a document are for the listeners only: the document itself was delivered, so they contain no objection. */
  private async readDocument(response: Response, document: number): Promise<void> {
    if (this.listeners.size === 0 || response.status() !== 200) return;
    const answers = preloadedAnswers(await response.text(), pathOf(response.url()));
    for (const answer of answers) for (const listener of this.listeners) listener(answer, document);
  }
}

/** What a call asks for, as far as its request tells. */
export function callOf(request: Request): PageCall {
  const form = new URLSearchParams(request.postData() ?? '');
  return {
    path: pathOf(request.url()),
    method: request.method(),
    friendlyName: request.headers()['x-fb-friendly-name'] ?? form.get('fb_api_req_friendly_name'),
  };
}

/** Path of a URL; the text itself when it is not a URL. */
export function pathOf(url: string): string {
  try {
    return new URL(url).pathname;
  } catch {
    return url;
  }
}

function isCall(request: Request): boolean {
  return !request.isNavigationRequest() && ['xhr', 'fetch'].includes(request.resourceType());
}

/** The request as the page sent it, before any redirect. */
function firstOf(request: Request): Request {
  let first = request;
  for (let step = request.redirectedFrom(); step; step = step.redirectedFrom()) first = step;
  return first;
}

function isRedirect(response: Response): boolean {
  return response.status() >= 300 && response.status() < 400;
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0]!;
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
