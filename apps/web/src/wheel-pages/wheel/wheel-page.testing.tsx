import { wheelConsentTexts, type PublicWheel, type SpinAnswer, type VisitRefusal, type VisitRequest } from '@decola/contracts/wheel-page';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setConfiguration } from '../../lib/configuration';
import { WheelPage } from './wheel-page';

export const automationId = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

const consentFacts = {
  company: 'Estúdio da Ana',
  minAge: 18,
  retentionDays: 180,
  channels: ['whatsapp', 'email'] as const,
  rulesUrl: null,
};

export const wheelOf = (more: Partial<PublicWheel> = {}): PublicWheel => ({
  id: automationId,
  name: 'Roleta de aniversário',
  prizes: [
    { id: 'cafe', name: 'Café grátis', type: 'physical', isAvailable: true },
    { id: 'vale', name: 'Vale de 10%', type: 'digital', isAvailable: true },
    { id: 'caneca', name: 'Caneca', type: 'physical', isAvailable: false },
  ],
  leadFields: [
    { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true },
    { id: 'whatsapp', name: 'whatsapp', label: 'WhatsApp', required: false },
  ],
  isExhausted: false,
  isEnded: false,
  closed: null,
  theme: { colour: null, logo: null },
  promotion: {
    company: 'Estúdio da Ana',
    contact: 'ana@estudio.example',
    minAge: 18,
    rulesUrl: null,
    authorisation: null,
    startsAt: null,
    endsAt: null,
  },
  consent: null,
  isCodeMailed: false,
  isEvent: false,
  domains: [],
  fairness: { round: 1, commitment: '80a30a769e16a56aa89e745a907e96d6f9fe83fcadec547bec168daf52cb467f' },
  ...more,
});
export const consent: PublicWheel['consent'] = {
  version: '1',
  channels: ['whatsapp', 'email'],
  retentionDays: 180,
  texts: wheelConsentTexts(consentFacts),
};
export const stateOf = (more: Partial<PublicWheel> = {}) => ({ success: true, wheel: wheelOf(more), formToken: 'form-token' }) as const;
export const refusal = (error: string, more: Partial<VisitRefusal> = {}): VisitRefusal => ({ success: false, error, code: 'x', ...more });
export const wonOf = (
  winner: Partial<SpinAnswer['winner']> = {},
  participation: Partial<SpinAnswer['participation']> = {},
): SpinAnswer => ({
  success: true,
  winner: { id: 'cafe', name: 'Café grátis', type: 'physical', message: 'O café é por nossa conta.', ...winner },
  participation: {
    number: 128,
    drawnAt: '2026-11-22T17:32:00.000Z',
    state: 'won',
    code: 'K7QF3MZP9DX',
    receiptUrl: 'https://decola.example/comprovante/K7QF-3MZP-9DX',
    repeated: false,
    ...participation,
  },
});
const { success: _, ...repeated } = wonOf({ message: null }, { code: null, receiptUrl: null, repeated: true, number: 97 });
export const earlierOf = (more: Partial<typeof repeated> = {}) => ({ success: true, earlier: { ...repeated, ...more } }) as const;

/** An answer of the server: a body, with its status and headers; an error for no answer at all. */
export type Answer = object | { status: number; body?: unknown; retryAfter?: number } | Error;
export type Server = Partial<Record<VisitRequest['action'], (request: VisitRequest, count: number) => Answer | Promise<Answer>>>;

/** Answers the page's calls. @returns what it asked */
export function fakeServer(server: Server): VisitRequest[] {
  const seen: VisitRequest[] = [];
  globalThis.fetch = jest.fn(async (_url: unknown, init: RequestInit) => {
    const request = JSON.parse(init.body as string) as VisitRequest;
    seen.push(request);
    const count = seen.filter(({ action, view }) => action === request.action && !view).length;
    const isMere = request.view && !server.state;
    const answer: Answer = isMere ? stateOf() : await Promise.resolve(server[request.action]?.(request, count) ?? stateOf());
    if (answer instanceof Error) throw answer;
    const { status = 200, body = answer, retryAfter } = answer as { status?: number; body?: unknown; retryAfter?: number };
    return {
      ok: status < 300,
      status,
      headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      json: () => new Promise((resolve) => resolve(typeof body === 'string' ? (JSON.parse(body) as unknown) : body)),
    };
  }) as unknown as typeof fetch;
  return seen;
}

export function openPage(state: unknown, server: Server = {}) {
  setConfiguration({ publishableKey: 'key', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' });
  const seen = fakeServer({ check: () => ({ success: true, earlier: null }), spin: () => wonOf(), ...server });
  const user = userEvent.setup({ delay: null });
  const view = render(<WheelPage automationId={automationId} token="secret" state={state} />);
  return { ...view, user, seen, asked: (action: VisitRequest['action']) => seen.filter((each) => each.action === action && !each.view) };
}
