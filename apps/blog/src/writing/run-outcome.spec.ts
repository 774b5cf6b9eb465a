import {
  BadAnswerError,
  BudgetReachedError,
  CutAnswerError,
  ProviderBusyError,
  ProviderDownError,
  RefusedTopicError,
  RequestRefusedError,
} from '../model/model.errors.js';
import { runTexts } from '../texts/writing-texts.js';
import { downPauseMs, outcomeOf } from './run-outcome.js';

const facts = { waits: 0, blocked: 0, ageMs: 0, ladder: [300_000, 1_800_000, 7_200_000] };

describe('outcomeOf', () => {
  it('lets a run wait for a provider that refuses every call, for two days', () => {
    const error = new ProviderDownError('quota', 'x');
    expect(outcomeOf(error, { ...facts, waits: 9 })).toEqual({ kind: 'wait', afterMs: downPauseMs, isDown: true });
    expect(outcomeOf(error, { ...facts, ageMs: 3 * 86_400_000 })).toMatchObject({ kind: 'end', state: 'failed', code: 'provider' });
  });

  it('lets a run wait longer and longer for a provider that fails, or as long as it asked, then fails', () => {
    const outcomes = [0, 1, 2, 3].map((waits) => outcomeOf(new ProviderBusyError('x'), { ...facts, waits }));
    expect(outcomes).toEqual([
      { kind: 'wait', afterMs: 300_000, isDown: false },
      { kind: 'wait', afterMs: 1_800_000, isDown: false },
      { kind: 'wait', afterMs: 7_200_000, isDown: false },
      { kind: 'end', state: 'failed', code: 'provider', reason: runTexts.provider },
    ]);
    expect(outcomeOf(new ProviderBusyError('x', 900_000), facts)).toMatchObject({ afterMs: 900_000 });
  });

  it('skips an article over the limits of tokens, and says when there are some again', () => {
    const until = new Date('2026-12-01T03:00:00Z');
    expect(outcomeOf(new BudgetReachedError('month', until), facts)).toEqual({
      ...{ kind: 'end', state: 'skipped', code: 'budget' },
      reason: runTexts.budgetMonth('01/12/2026'),
    });
    expect(outcomeOf(new BudgetReachedError('article', null), facts)).toMatchObject({ state: 'failed', code: 'article_limit' });
  });

  it('takes another topic when one is refused, and fails after three', () => {
    const outcomes = [0, 1, 2].map((blocked) => outcomeOf(new RefusedTopicError('x'), { ...facts, blocked }));
    expect(outcomes).toEqual([
      { kind: 'next-topic' },
      { kind: 'next-topic' },
      { kind: 'end', state: 'failed', code: 'policy', reason: 'O provedor recusou o tema. Ajuste a automação.' },
    ]);
  });

  it('fails after an answer that does not serve', () => {
    const codeOf = (error: Error) => {
      const outcome = outcomeOf(error, facts);
      return outcome.kind === 'end' ? [outcome.state, outcome.code] : outcome.kind;
    };
    expect(codeOf(new BadAnswerError('x'))).toEqual(['failed', 'answer']);
    expect(codeOf(new CutAnswerError('x'))).toEqual(['failed', 'too_long']);
    expect(codeOf(new RequestRefusedError('x'))).toEqual(['failed', 'provider']);
    expect(codeOf(new Error('a bug'))).toBe('retry');
  });
});
