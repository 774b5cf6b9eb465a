import {
  handleField,
  leadFieldProblem,
  longestAnswer,
  type PublicWheel,
  type VisibleLeadField,
  wheelRules,
} from '@decola/contracts/wheel-page';
import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { LightButton } from '../light-button';
import { FieldError } from '../../components/ui/field-error';
import { noticeLook } from '../../components/ui/looks';
import { formatDateTime } from '../../lib/format';
import { Fold } from '../fold';
import { LinkedText } from './linked-text';
import { maskedPhone, maskWhileTyping, withoutAt } from './masks';
import { formTexts, visitProposals as texts } from './texts';

/** What a visitor has written, with `@` before the handle. */
export interface FormAnswers {
  leadData: Record<string, string>;
  consent: { accepted: boolean; channels: string[] };
  /** Of the field that people do not see. */
  site: string;
}

/** Key of the problem with the box that must be ticked, as the server names it. */
export const consentField = 'consent';

interface VisitFormProps {
  wheel: PublicWheel;
  /** What was written before, when the visitor comes back to the form. */
  answers: FormAnswers | null;
  /** By name of the field. */
  problems: Readonly<Record<string, string>>;
  /** About the whole form; empty without one. */
  alert: string;
  isBusy: boolean;
  /** Nothing can be sent for some seconds. */
  isWaiting: boolean;
  onEdit: (field: string) => void;
  onProblems: (problems: Record<string, string>) => void;
  onContinue: (answers: FormAnswers) => void;
  /** Only the handle counts: shows the prize of an earlier participation. */
  onSeeEarlier: (handle: string) => void;
}

/**
 * The inputs keep their own values: what was typed before React took the page over stays, and so does what the browser filled in. The form's method keeps
 * the browser from sending it anywhere by itself.
 */
export function VisitForm(props: VisitFormProps) {
  const { wheel, answers, problems, alert, isBusy, isWaiting, onEdit, onProblems, onContinue, onSeeEarlier } = props;
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const closing = wheel.closed?.text ?? (wheel.isExhausted ? formTexts.soldOut : null);
  const fields = closing === null ? wheel.leadFields : wheel.leadFields.filter(({ name }) => name === handleField.name);

  // The first field with a problem, after each attempt; not while the visitor mends one.
  const problemNames = Object.keys(problems).join();
  const known = useRef(0);
  useEffect(() => {
    const count = Object.keys(problems).length;
    if (count > known.current) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
    known.current = count;
  }, [problemNames, problems]);

  const read = (): FormAnswers => {
    const data = new FormData(form.current!);
    const text = (name: string) => {
      const value = data.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const written = fields.map(({ name }): [string, string] => [
      name,
      name === handleField.name ? handleWith(text(inputName(name))) : text(inputName(name)),
    ]);
    return {
      leadData: Object.fromEntries(written.filter(([, value]) => value !== '')),
      consent: { accepted: data.has(consentField), channels: data.getAll('channels').map(String) },
      site: text('site'),
    };
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || isWaiting) return;
    const given = read();
    if (closing !== null) return see(given);
    const found = fields.flatMap((field) => {
      const problem = leadFieldProblem(field, given.leadData[field.name] ?? '');
      return problem === null ? [] : [[field.name, problem] as const];
    });
    if (wheel.consent && !given.consent.accepted) found.push([consentField, texts.acceptRules]);
    if (found.length > 0) onProblems(Object.fromEntries(found));
    else onContinue(given);
  };
  const see = ({ leadData }: FormAnswers) => {
    const handle = leadData[handleField.name] ?? '';
    const problem = leadFieldProblem({ ...handleField, label: fields[0]?.label ?? handleField.label }, handle);
    if (problem === null) onSeeEarlier(handle);
    else onProblems({ [handleField.name]: problem });
  };

  return (
    <section className="sheet lit w-full rounded-panel shadow-3" aria-labelledby={`${id}-title`}>
      <form ref={form} method="dialog" noValidate onSubmit={submit} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <h2 id={`${id}-title`} tabIndex={-1} className="text-xl">
          {formTexts.title}
        </h2>
        {closing !== null && (
          <div data-lamp="warn" className={`${noticeLook} bg-warning-soft`}>
            <span className="light mt-[7px]" aria-hidden />
            <p>{closing}</p>
          </div>
        )}
        {fields.map((field) => (
          <LeadField
            key={field.name}
            field={field}
            id={`${id}-${inputName(field.name)}`}
            value={answers?.leadData[field.name] ?? ''}
            problem={problems[field.name]}
            onEdit={() => onEdit(field.name)}
          />
        ))}
        <p className="sr-only" aria-hidden>
          <input name="site" type="text" tabIndex={-1} autoComplete="off" />
        </p>
        {closing === null && wheel.consent && (
          <div className="grid gap-1">
            <Box
              name={consentField}
              id={`${id}-consent`}
              isChecked={answers?.consent.accepted ?? false}
              problem={problems[consentField]}
              onEdit={() => onEdit(consentField)}
            >
              <LinkedText text={wheel.consent.texts.required} links={{ [texts.rulesWord]: <RulesLink wheel={wheel} /> }} />
            </Box>
            {wheel.consent.texts.channels.map(({ channel, text }) => (
              <Box
                key={channel}
                name="channels"
                value={channel}
                id={`${id}-channel-${channel}`}
                isChecked={answers?.consent.channels.includes(channel) ?? false}
              >
                {text}
              </Box>
            ))}
          </div>
        )}
        {alert !== '' && (
          <p role="alert" className="rounded-tile bg-danger-soft px-4 py-3 text-md font-medium text-danger">
            {alert}
          </p>
        )}
        <div className="grid gap-2">
          <LightButton
            type={closing === null ? 'submit' : 'button'}
            size="large"
            className="w-full"
            isBusy={isBusy && closing === null}
            disabled={closing !== null || isWaiting}
          >
            {formTexts.continue}
          </LightButton>
          {closing !== null && (
            <LightButton type="submit" variant="secondary" className="w-full whitespace-normal!" isBusy={isBusy} disabled={isWaiting}>
              {texts.seeEarlier}
            </LightButton>
          )}
        </div>
        {closing === null && wheel.consent && (
          <p className="text-sm text-muted">
            <LinkedText
              text={wheel.consent.texts.notice}
              links={{ [texts.rulesWord]: <RulesLink wheel={wheel} />, [texts.privacyWord]: <PrivacyLink /> }}
            />
          </p>
        )}
      </form>
    </section>
  );
}

/** Owners name fields as they like, and the form has inputs of its own. */
const inputName = (field: string) => `lead.${field}`;

const handleWith = (text: string) => {
  const handle = withoutAt(text);
  return handle === '' ? '' : `@${handle}`;
};

const inputClasses =
  'w-full min-h-12 rounded-control bg-surface px-3.5 text-ink inset-ring inset-ring-edge transition-shadow duration-150 placeholder:text-muted hover:inset-ring-ink focus-visible:inset-ring-ink aria-invalid:inset-ring-[1.5px] aria-invalid:inset-ring-danger-lamp';

/** What browsers and phone keyboards need to know of each field. */
const inputs: Readonly<Record<string, { type?: string; inputMode?: 'tel' | 'email'; autoComplete: string; autoCapitalize?: string }>> = {
  nome: { autoComplete: 'name', autoCapitalize: 'words' },
  instagram: { autoComplete: 'username', autoCapitalize: 'none' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
  whatsapp: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  telefone: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
};

interface LeadFieldProps {
  field: VisibleLeadField;
  id: string;
  value: string;
  problem: string | undefined;
  onEdit: () => void;
}

function LeadField({ field: { name, label, required }, id, value, problem, onEdit }: LeadFieldProps) {
  const isHandle = name === handleField.name;
  const isPhone = name === 'whatsapp' || name === 'telefone';
  const control = {
    id,
    name: inputName(name),
    className: inputClasses,
    maxLength: longestAnswer(name),
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': problem ? `${id}-error` : undefined,
    'aria-required': required || undefined,
    onInput: (event: FormEvent<HTMLInputElement>) => {
      if (isHandle) maskWhileTyping(event.currentTarget, withoutAt);
      if (isPhone) maskWhileTyping(event.currentTarget, maskedPhone);
      onEdit();
    },
  } as const;
  return (
    <div className="grid min-w-0 content-start gap-2">
      <label htmlFor={id} className="text-md font-semibold">
        {label} {!required && <span className="font-normal text-muted">{texts.optional}</span>}
      </label>
      {name === 'endereco' ? (
        <textarea
          {...control}
          rows={2}
          autoComplete="street-address"
          className={`${inputClasses} py-3`}
          defaultValue={value}
          onInput={onEdit}
        />
      ) : (
        <span className="relative block">
          {isHandle && (
            <span aria-hidden className="pointer-events-none absolute inset-y-0 left-3.5 grid place-content-center text-muted">
              @
            </span>
          )}
          <input
            {...control}
            {...(inputs[name] ?? { autoComplete: 'on' })}
            className={isHandle ? `${inputClasses} pl-8.5` : inputClasses}
            spellCheck={false}
            placeholder={isPhone ? texts.phoneExample : undefined}
            defaultValue={isHandle ? withoutAt(value) : value}
            onBlur={isPhone ? (event) => (event.currentTarget.value = maskedPhone(event.currentTarget.value)) : undefined}
          />
        </span>
      )}
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  );
}

interface BoxProps {
  name: string;
  value?: string;
  id: string;
  isChecked: boolean;
  problem?: string | undefined;
  onEdit?: () => void;
  children: ReactNode;
}

function Box({ name, value, id, isChecked, problem, onEdit, children }: BoxProps) {
  return (
    <div>
      <label className="flex min-h-11 items-start gap-3 py-2.5 text-md">
        <input
          type="checkbox"
          id={id}
          name={name}
          {...(value !== undefined && { value })}
          className="tick-box"
          defaultChecked={isChecked}
          onChange={onEdit}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? `${id}-error` : undefined}
        />
        <span>{children}</span>
      </label>
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
    </div>
  );
}

/** Id of the rules below the form, for promotions without rules at an address of their own. */
const rulesId = 'regulamento';

function RulesLink({ wheel: { promotion } }: { wheel: PublicWheel }) {
  if (promotion.rulesUrl !== null)
    return (
      <a className="link" href={promotion.rulesUrl} target="_blank" rel="noopener noreferrer">
        {texts.rulesWord}
      </a>
    );
  const open = () => document.getElementById(rulesId)?.setAttribute('open', '');
  return (
    <a className="link" href={`#${rulesId}`} onClick={open}>
      {texts.rulesWord}
    </a>
  );
}

function PrivacyLink() {
  return (
    <a className="link" href="/politica-de-privacidade" target="_blank" rel="noopener">
      {texts.privacyWord}
    </a>
  );
}

/** The rules of a promotion that has none at an address of its own. */
export function Rules({ wheel: { promotion } }: { wheel: PublicWheel }) {
  if (promotion.rulesUrl !== null) return null;
  return (
    <Fold id={rulesId} title={texts.rules}>
      <ul className="grid gap-1.5 pb-2 text-sm text-muted">
        {wheelRules(promotion, formatDateTime).map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Fold>
  );
}
