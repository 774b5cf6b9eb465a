import { MessageCircle, UserPlus, Users } from 'lucide-react';
import { Dial } from '../../components/ui/dial';
import { configuration } from '../../lib/configuration';
import { Section } from './section';
import { promisesTexts, testimonials, testimonialsTexts } from './texts';

/** The promises, each with a dial that illustrates it: a stopped account, a confirmed action, a list in progress. */
const promises = [
  { tool: 'comment', state: 'stop', filled: 1, icon: MessageCircle, ...promisesTexts.stop },
  { tool: 'follow', state: 'done', filled: 1, icon: UserPlus, ...promisesTexts.record },
  { tool: 'list', state: 'on', filled: 0.66, icon: Users, ...promisesTexts.data },
] as const;

/** Quotes of real customers; while there are none, our promises and an invitation to write one. */
export function Testimonials() {
  const { productName, supportEmail } = configuration();
  if (testimonials.length > 0) {
    return (
      <Section id="depoimentos" title={testimonialsTexts.title} lead={testimonialsTexts.lead}>
        <ul className="grid gap-8 md:grid-cols-3">
          {testimonials.map(({ words, name, role }) => (
            <li key={name} className="shadow-[0_-2px_0_var(--ink)]">
              <blockquote className="mt-5 text-lg">{words}</blockquote>
              <p className="mt-4 font-semibold">{name}</p>
              <p className="text-sm text-muted">{role}</p>
            </li>
          ))}
        </ul>
      </Section>
    );
  }
  return (
    <Section id="depoimentos" title={promisesTexts.title} lead={promisesTexts.lead}>
      <ul className="grid gap-7 min-[56.25rem]:grid-cols-3 min-[56.25rem]:gap-10">
        {promises.map(({ tool, state, filled, icon: Icon, title, text }) => (
          <li
            key={title}
            className="grid grid-cols-[44px_1fr] content-start items-center gap-x-3.5 gap-y-2 pt-5 shadow-[0_-1px_0_var(--line)] min-[56.25rem]:grid-cols-1 min-[56.25rem]:pt-0 min-[56.25rem]:shadow-none"
          >
            <Dial tool={tool} state={state} filled={filled} className="vow">
              <Icon className="icon" />
            </Dial>
            <h3 className="text-xl leading-[1.12] tracking-[-0.028em] min-[56.25rem]:mt-2 min-[56.25rem]:max-w-[8em] min-[56.25rem]:text-[2.125rem] min-[56.25rem]:leading-[1.04]">
              {title}
            </h3>
            <p className="col-span-full text-muted min-[56.25rem]:text-lg">{text}</p>
          </li>
        ))}
      </ul>
      {supportEmail && (
        <p className="mt-8 text-muted">
          {promisesTexts.invitation(productName)}{' '}
          <a className="link inline-flex min-h-11 items-center" href={`mailto:${supportEmail}?subject=Meu%20depoimento`}>
            {promisesTexts.tellUs}
          </a>
          .
        </p>
      )}
    </Section>
  );
}
