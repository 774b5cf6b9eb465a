import { formatPrizeCode, type PrizeState } from '@decola/contracts';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { profileUrl } from '../../lib/network-links';
import { AccountInitials } from '../instagram-accounts/account-initials';
import type { Lead } from './lead-queries';
import { fullDayOf, momentOf } from './moments';
import { leadTexts as texts } from './texts';

const lamps: Record<PrizeState, LampState> = { won: 'warn', delivered: 'on', expired: 'off', voided: 'stop' };

/** From 900 px on, the columns of a line and of the head above it. */
const columns =
  'min-[56.25rem]:grid-cols-[minmax(0,1.5fr)_minmax(0,1.2fr)_minmax(0,1.25fr)_8.75rem_7rem_7rem_2.75rem] min-[56.25rem]:gap-x-4 px-4 md:px-5';

/** Names of the columns. Without columns, below 900 px, there are none. */
export function LeadHead() {
  const { person, prize, contact, code, state, at } = texts.columns;
  return (
    <div
      className={classes('hidden border-b border-line py-2.5 text-sm font-semibold text-muted min-[56.25rem]:grid', columns)}
      aria-hidden
    >
      {[person, prize, contact, code, state].map((name) => (
        <span key={name}>{name}</span>
      ))}
      <span className="text-right">{at}</span>
    </div>
  );
}

/** `https://wa.me/5511987654321`. Numbers without a country are Brazilian. */
function whatsappUrl(number: string): string {
  const digits = number.replace(/\D/g, '');
  return `https://wa.me/${number.trim().startsWith('+') ? digits : `55${digits}`}`;
}

/** A person, their prize and code, and behind a button everything that they told. Below 900 px a block instead of a row. */
export function LeadLine({ lead, now, onCheck }: { lead: Lead; now: Date; onCheck: () => void }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { username, prize_name: prize, code, state, captured_at: at } = lead;
  const name = `@${username}`;
  const written = code === '' ? '' : formatPrizeCode(code);
  const isErased = username.startsWith('apagado#');
  const target = 'relative before:absolute before:-inset-x-2 before:-inset-y-3 underline-offset-4 hover:underline';
  return (
    <li>
      <div className={classes('grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1.5 py-3 text-md', columns)}>
        <span className="flex min-w-0 items-center gap-3">
          <AccountInitials name={username} className="size-8 text-xs" />
          {isErased ? (
            <span className="text-muted [overflow-wrap:anywhere]">{name}</span>
          ) : (
            <a
              href={profileUrl(username)}
              target="_blank"
              rel="noreferrer"
              aria-label={texts.profile(name)}
              className={classes('font-medium [overflow-wrap:anywhere]', target)}
            >
              {name}
            </a>
          )}
        </span>
        <time dateTime={at} className="text-right text-sm text-muted tabular-nums min-[56.25rem]:order-6 min-[56.25rem]:text-md">
          {momentOf(at, now)}
        </time>
        <span
          className="line-clamp-2 pl-11 font-medium [overflow-wrap:anywhere] min-[56.25rem]:order-2 min-[56.25rem]:pl-0 min-[56.25rem]:font-normal"
          title={prize}
        >
          {prize}
        </span>
        <span className="justify-self-end min-[56.25rem]:order-5 min-[56.25rem]:justify-self-start">
          <Lamp state={lamps[state]} className="text-sm whitespace-nowrap">
            {texts.stateNames[state]}
          </Lamp>
        </span>
        <span className="min-w-0 pl-11 text-sm text-muted min-[56.25rem]:order-3 min-[56.25rem]:pl-0 min-[56.25rem]:text-md">
          <Contact lead={lead} target={target} />
        </span>
        <span className="justify-self-end text-sm whitespace-nowrap tabular-nums min-[56.25rem]:order-4 min-[56.25rem]:justify-self-start">
          {written === '' ? (
            <span className="text-muted">—</span>
          ) : (
            <button
              type="button"
              aria-label={texts.checkCode(written)}
              title={texts.checkCode(written)}
              onClick={onCheck}
              className={target}
            >
              {written}
            </button>
          )}
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-details`}
          aria-label={texts.detailsOf(name)}
          onClick={() => setOpen(!isOpen)}
          className="col-span-full ml-11 inline-flex min-h-11 items-center gap-1.5 justify-self-start rounded-control text-sm font-semibold text-muted hover:text-ink min-[56.25rem]:order-7 min-[56.25rem]:col-span-1 min-[56.25rem]:ml-0 min-[56.25rem]:w-11 min-[56.25rem]:justify-center min-[56.25rem]:hover:bg-sunken"
        >
          <span className="min-[56.25rem]:sr-only">{texts.details}</span>
          <ChevronDown className={classes('size-5 transition-transform duration-150', isOpen && 'rotate-180')} aria-hidden />
        </button>
      </div>
      <div id={`${id}-details`} hidden={!isOpen} className="px-4 pb-5 pl-15 md:px-5 md:pl-16">
        {isOpen && <Details lead={lead} />}
      </div>
    </li>
  );
}

/** The first of the ways to reach a person that they gave. */
function Contact({ lead: { whatsapp, telephone, email }, target }: { lead: Lead; target: string }) {
  if (whatsapp)
    return (
      <a
        href={whatsappUrl(whatsapp)}
        target="_blank"
        rel="noreferrer"
        aria-label={texts.whatsapp(whatsapp)}
        className={classes('tabular-nums min-[22.5rem]:whitespace-nowrap', target)}
      >
        {whatsapp}
      </a>
    );
  if (telephone) return <span className="tabular-nums">{telephone}</span>;
  if (email) return <span className="[overflow-wrap:anywhere]">{email}</span>;
  return <>{texts.noContact}</>;
}

/** Everything that a person told and agreed to. */
function Details({ lead }: { lead: Lead }) {
  const { number, name, whatsapp, telephone, email, address, state, delivered_at: deliveredAt, valid_until: validUntil } = lead;
  const { fields } = texts;
  const facts = [
    [fields['nome'], name],
    [fields['whatsapp'], whatsapp],
    [fields['telefone'], telephone],
    [fields['email'], email],
    [fields['endereco'], address],
    [texts.number, `nº ${number.toLocaleString('pt-BR')}`],
    [texts.deliveredAt, state === 'delivered' && deliveredAt ? formatDateTime(deliveredAt) : null],
    [texts.validUntil, state === 'won' && validUntil ? fullDayOf(validUntil) : null],
    [texts.consent, lead.consent_version ? texts.consentVersion(lead.consent_version) : texts.consentNone],
    [texts.channels, lead.consent_version ? channelsOf(lead) : null],
  ] as const;
  return (
    <dl className="grid gap-x-10 gap-y-3 text-sm sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(
        ([term, value]) =>
          value && (
            <div key={term}>
              <dt className="text-muted">{term}</dt>
              <dd className="text-md [overflow-wrap:anywhere] whitespace-pre-line">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

const channelsOf = ({ accepts }: Lead): string =>
  accepts && accepts.length > 0 ? accepts.map((channel) => texts.channelNames[channel] ?? channel).join(', ') : texts.noChannel;
