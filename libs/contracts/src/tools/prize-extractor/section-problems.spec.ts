import { validateAutomation } from '../../automations/wizard.js';
import { completeConfigurations } from '../../automations/wizard-inputs.js';
import { wheelSectionTexts as texts } from './section-problems.js';
import { wheelLimits } from './sections.js';
import { wheelSettings } from './settings.js';
import { wheelLimitTexts } from './rules.js';

const complete = completeConfigurations['prize-extractor'];
const problemsOf = (change: Record<string, unknown>) =>
  validateAutomation('prize-extractor', { ...complete, ...change }, { hasStoredSession: false }).map(({ step, field, message }) => [
    step,
    field,
    message,
  ]);
const field = (name: string, required = true) => ({ id: name, name, label: name, required, enabled: true });
const withEmail = { leadFields: [field('instagram'), field('email')] };
const prize = (id: number, quantity = 1) => ({ id: String(id), name: `Prêmio ${id}`, quantity, type: 'digital', message: '' });
const png = (bytes: number) => `data:image/png;base64,iVBORw0KGgo${'A'.repeat(Math.ceil((bytes * 4) / 3) - 11)}`;

describe('the sections of a wheel', () => {
  it.each([
    [{ promotion: { company: '' }, consent: {} }, 'promotion.company', texts.company],
    [{ promotion: { minAge: 101 } }, 'promotion.minAge', texts.minAge],
    [{ promotion: { rulesUrl: 'regulamento' } }, 'promotion.rulesUrl', texts.rulesUrl],
    [{ promotion: { rulesUrl: 'javascript:alert(1)' } }, 'promotion.rulesUrl', texts.rulesUrl],
    [{ prizes: [prize(1), prize(2)], promotion: { authorisation: 'same_prize' } }, 'promotion.authorisation', texts.samePrize],
    [{ promotion: { authorisation: 'authorised', authorisationNumber: ' ' } }, 'promotion.authorisationNumber', texts.authorisationNumber],
    [{ promotion: { startsAt: '2026-12-02T00:00:00Z', endsAt: '2026-12-01T23:00:00-03:00' } }, 'promotion.endsAt', null],
    [{ promotion: { startsAt: '2026-12-02T00:00:00Z', endsAt: '2026-12-02T00:00:00Z' } }, 'promotion.endsAt', texts.endsBeforeStart],
    [{ promotion: { company: 'Ana' }, consent: { retentionDays: 29 } }, 'consent.retentionDays', texts.retentionDays],
    [{ promotion: { company: 'Ana' }, consent: { retentionDays: 731 } }, 'consent.retentionDays', texts.retentionDays],
    [{ options: { oncePerEmail: true } }, 'options.oncePerEmail', texts.needsEmail],
    [
      { leadFields: [field('instagram'), field('email', false)], options: { codeByEmailOnly: true } },
      'options.codeByEmailOnly',
      texts.needsEmail,
    ],
    [{ options: { oncePerPhone: true } }, 'options.oncePerPhone', texts.needsPhone],
    [{ ...withEmail, options: { oncePerEmail: true, codeByEmailOnly: true, noThrowawayEmails: true } }, 'options', null],
    [{ options: { validDays: 0 } }, 'options.validDays', texts.validDays],
    [{ options: { eventHours: { from: '2026-12-01T10:00:00Z' } } }, 'options.eventHours', texts.eventHours],
    [
      { options: { eventHours: { from: '2026-12-02T10:00:00Z', until: '2026-12-01T10:00:00Z' } } },
      'options.eventHours',
      texts.eventBackwards,
    ],
    [
      { options: { eventHours: { from: '2026-12-01T10:00:00Z', until: '2026-12-09T10:00:00Z' } } },
      'options.eventHours',
      texts.eventTooLong,
    ],
    [{ theme: { colour: 'roxo' } }, 'theme.colour', texts.colour],
    [{ theme: { logo: 'data:image/svg+xml;base64,PHN2Zz4=' } }, 'theme.logo', texts.logo],
    [{ theme: { logo: 'https://loja.com.br/logo.png' } }, 'theme.logo', texts.logo],
    [{ domains: ['loja.com.br', '*.loja.com.br', 'localhost.test:8080'] }, 'domains', null],
    [{ domains: ['https://loja.com.br/roleta'] }, 'domains', texts.domain],
    [{ domains: ["loja.com.br; script-src 'unsafe-inline'"] }, 'domains', texts.domain],
    [{ domains: Array.from({ length: 21 }, (_, index) => `loja${index}.com.br`) }, 'domains', texts.domains],
    [
      { leadFields: [field('instagram'), ...Array.from({ length: 12 }, (_, index) => field(`campo${index}`))] },
      'leadFields',
      wheelLimitTexts.leadFields,
    ],
  ] as [Record<string, unknown>, string, string | null][])('%j: %s', (change, at, message) => {
    expect(problemsOf(change)).toEqual(message === null ? [] : [[2, at, message]]);
  });

  it.each([
    [Array.from({ length: 101 }, (_, index) => prize(index)), wheelLimitTexts.prizes],
    [[prize(1, 1_000_001)], wheelLimitTexts.units],
  ])('limits the stock', (prizes, message) => expect(problemsOf({ prizes })).toEqual([[1, 'prizes', message]]));

  it('takes a logo of 40 KB, and no larger one', () => {
    expect(problemsOf({ theme: { colour: '#7C3AED', logo: png(wheelLimits.logoBytes) } })).toEqual([]);
    expect(problemsOf({ theme: { logo: png(wheelLimits.logoBytes + 10) } })).toEqual([[2, 'theme.logo', texts.logo]]);
  });

  it('reports several inputs of one section, each once', () => {
    expect(problemsOf({ consent: {}, promotion: { minAge: -1, rulesUrl: 'x' } }).map(([, at]) => at)).toEqual([
      'promotion.company',
      'promotion.minAge',
      'promotion.rulesUrl',
    ]);
  });

  it('refuses a section of a wrong shape', () => {
    expect(problemsOf({ options: { oncePerEmail: 'sim' } })).toEqual([
      [2, 'options', 'O campo options.oncePerEmail tem um valor inválido'],
    ]);
  });
});

describe('wheelSettings', () => {
  it('fills in what the sheet of the product says', () => {
    expect(wheelSettings({})).toEqual(wheelSettings(null));
    expect(wheelSettings({ consent: {} })).toEqual({
      promotion: {
        company: '',
        contact: '',
        minAge: 18,
        rulesUrl: null,
        authorisation: null,
        authorisationNumber: null,
        startsAt: null,
        endsAt: null,
      },
      consent: { channels: [], retentionDays: 180 },
      options: {
        oncePerEmail: false,
        oncePerPhone: false,
        noThrowawayEmails: false,
        codeByEmailOnly: false,
        validDays: null,
        eventHours: null,
        publishAudit: false,
      },
      theme: { colour: null, logo: null },
      domains: [],
      notices: { leads: 'daily' },
    });
  });

  it('counts a section that does not fit as absent, and reads the others', () => {
    expect(wheelSettings({ consent: 'x', theme: { colour: '#000000' }, promotion: { minAge: '18' } })).toMatchObject({
      consent: null,
      theme: { colour: '#000000' },
      promotion: { minAge: 18 },
    });
  });
});
