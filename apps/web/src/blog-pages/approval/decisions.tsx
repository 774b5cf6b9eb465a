import type { ApprovalPage, ArticleDecision } from '@decola/contracts';
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { buttonLook } from '../../components/ui/looks';
import { approvalTexts as texts } from './texts';

interface DecisionsProps {
  nonce: string;
  canChange: boolean;
  isDraft: boolean;
  address: string;
  refused: Extract<ApprovalPage, { kind: 'answer' }>['refused'];
}

/** The three decisions, each a form of its own. Those that ask something first unfold; only one is open at a time. */
export function Decisions({ nonce, canChange, isDraft, address, refused }: DecisionsProps) {
  const form = (decision: ArticleDecision, children: ReactNode) => (
    <form method="post" action={address} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <input type="hidden" name="nonce" value={nonce} />
      <input type="hidden" name="decision" value={decision} />
      {refused?.decision === decision && (
        <p role="alert" className="field-problem">
          {refused.error}
        </p>
      )}
      {children}
    </form>
  );
  const noteOf = (decision: ArticleDecision) => (refused?.decision === decision ? refused.note : '');
  return (
    <div className="decide-go">
      {form(
        'approve',
        <button type="submit" className={buttonLook({ size: 'large' })}>
          {isDraft ? texts.approveDraft : texts.approve}
        </button>,
      )}
      <div className="decide-others">
        {canChange && (
          <Fold name={texts.change} variant="secondary" isOpen={refused?.decision === 'change'}>
            {form(
              'change',
              <>
                <label htmlFor="note" className="text-md font-semibold">
                  {texts.whatToChange}
                </label>
                <textarea
                  id="note"
                  name="note"
                  required
                  maxLength={1_000}
                  rows={4}
                  aria-describedby="note-hint"
                  defaultValue={noteOf('change')}
                  className="approval-field"
                />
                <p id="note-hint" className="text-sm text-muted">
                  {texts.changeHint}
                </p>
                <button type="submit" className={buttonLook({ variant: 'ink' })}>
                  {texts.sendChange}
                </button>
              </>,
            )}
          </Fold>
        )}
        <Fold name={texts.reject} variant="quiet" isOpen={refused?.decision === 'reject'}>
          {form(
            'reject',
            <>
              <fieldset className="approval-reasons">
                <legend className="mb-2 text-md font-semibold">{texts.why}</legend>
                {texts.reasons.map((reason, index) => (
                  <label key={reason}>
                    <input
                      type="radio"
                      name="note"
                      value={reason}
                      defaultChecked={noteOf('reject') === reason || (noteOf('reject') === '' && index === 0)}
                    />
                    {reason}
                  </label>
                ))}
              </fieldset>
              <p className="text-sm text-muted">{texts.rejectHint}</p>
              <button type="submit" className={buttonLook({ variant: 'ink' })}>
                {texts.sendReject}
              </button>
            </>,
          )}
        </Fold>
      </div>
      {!canChange && <p className="text-sm text-muted">{texts.changeUsed}</p>}
    </div>
  );
}

interface FoldProps {
  name: string;
  variant: 'secondary' | 'quiet';
  isOpen: boolean;
  children: ReactNode;
}

function Fold({ name, variant, isOpen, children }: FoldProps) {
  return (
    <details name="decision" open={isOpen}>
      <summary className={clsx(buttonLook({ variant, size: 'wide' }), 'cursor-pointer list-none')}>{name}</summary>
      <div className="pt-3 pb-1">{children}</div>
    </details>
  );
}
