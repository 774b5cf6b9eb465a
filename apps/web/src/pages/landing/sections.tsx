import { Check, Download, FileText, Heart, MessageCircle, MessageSquareQuote, ReceiptText, ShieldCheck, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button';
import { Badge } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { configuration } from '../../lib/configuration';
import { formatPrice } from '../../lib/format';
import { landingPlans, testimonials } from './content';

interface SectionProps {
  id: string;
  title: string;
  lead: string;
  isRaised?: boolean;
  children: ReactNode;
}

function Section({ id, title, lead, isRaised = false, children }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={classes('scroll-mt-16 py-16 sm:py-24', isRaised && 'border-y border-line bg-surface')}
    >
      <div className="mx-auto max-w-[1200px] px-4">
        <h2 id={`${id}-title`} className="max-w-2xl text-3xl text-balance sm:text-4xl">
          {title}
        </h2>
        <p className="mt-3 max-w-2xl text-lg text-pretty text-muted">{lead}</p>
        <div className="mt-10">{children}</div>
      </div>
    </section>
  );
}

const tools = [
  {
    icon: UserPlus,
    title: 'Seguir e deixar de seguir',
    text: 'Por hashtag, pelos seguidores de um perfil ou pela sua lista. Só desfazemos o que fizemos por aqui.',
  },
  { icon: Heart, title: 'Curtidas automáticas', text: 'Nos posts do seu nicho ou do seu feed, poucas por vez, no seu horário.' },
  { icon: MessageCircle, title: 'Comentários automáticos', text: 'De três a dez textos seus, alternados, para nunca parecer repetido.' },
  {
    icon: Download,
    title: 'Extratores com CSV',
    text: 'Os seguidores de um perfil e quem curtiu ou comentou um post, com a conta honesta: obtidos X de Y.',
  },
  { icon: FileText, title: 'Artigos SEO automáticos', text: 'Artigos para o seu blog toda semana, publicados no seu WordPress.' },
] as const;

export function Tools() {
  return (
    <Section
      id="ferramentas"
      title="Cinco ferramentas, um só painel"
      lead="Você diz o quê, onde e com que frequência. O resto acontece, e fica tudo anotado."
      isRaised
    >
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-6">
        {tools.map(({ icon: Icon, title, text }, index) => (
          <li
            key={title}
            className={classes(
              'rounded-2xl border border-line bg-canvas p-6',
              index < 3 ? 'lg:col-span-2' : 'sm:max-lg:last:col-span-2 lg:col-span-3',
            )}
          >
            <span className="grid size-12 place-content-center rounded-xl bg-brand-soft text-brand">
              <Icon className="size-6" aria-hidden />
            </span>
            <h3 className="mt-4 text-lg">{title}</h3>
            <p className="mt-1.5 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Plans({ door }: { door: string }) {
  return (
    <Section
      id="planos"
      title="Um plano para cada fase"
      lead="Todas as ferramentas em todos. Um slot é uma automação publicada; exclua uma e ele volta."
    >
      <ul className="grid items-stretch gap-4 md:grid-cols-3">
        {landingPlans.map(({ key, name, priceCents, trialDays, isPopular, items }) => (
          <li
            key={key}
            className={classes(
              'flex flex-col rounded-2xl bg-surface p-6',
              isPopular ? 'border-2 border-brand shadow-xl shadow-brand/10' : 'border border-line',
            )}
          >
            <div className="flex min-h-7 items-center justify-between gap-2">
              <h3 className="text-xl">{name}</h3>
              {isPopular && <Badge tone="brand">Mais Popular</Badge>}
            </div>
            <p className="mt-4">
              <span className="font-display text-4xl font-semibold whitespace-nowrap md:text-3xl lg:text-4xl">
                {trialDays > 0 ? `${trialDays} dias grátis` : formatPrice(priceCents)}
              </span>
              <span className="mt-1 block text-muted">{trialDays > 0 ? `depois, ${formatPrice(priceCents)} por mês` : 'por mês'}</span>
            </p>
            <ul className="mt-6 mb-8 grid gap-2.5">
              {items.map((item) => (
                <li key={item} className="flex gap-2.5">
                  <Check className="mt-0.5 size-5 shrink-0 text-success" aria-hidden /> {item}
                </li>
              ))}
            </ul>
            <Button asChild size="wide" className="mt-auto" variant={isPopular ? 'primary' : 'outline'}>
              <a href={door}>{trialDays > 0 ? 'Testar Grátis' : `Escolher ${name}`}</a>
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-center text-muted">Sem fidelidade. Troque ou cancele quando quiser, pelo próprio painel.</p>
    </Section>
  );
}

const promises = [
  {
    icon: ShieldCheck,
    title: 'Paramos ao primeiro sinal',
    text: 'Se o Instagram reclamar, sua conta descansa e você lê o porquê e o que fazer.',
  },
  {
    icon: ReceiptText,
    title: 'Nada é feito às escondidas',
    text: 'Cada pessoa seguida fica registrada, com o resultado visto na página. “Feito” só quando foi feito.',
  },
  { icon: Download, title: 'O que é seu sai com você', text: 'Baixe suas listas e tudo o que guardamos sobre você. Apague quando quiser.' },
] as const;

/** Real customers' words; while there are none, what every customer is promised, and a door for the first to speak. */
export function Testimonials() {
  const { productName, supportEmail } = configuration();
  if (testimonials.length > 0) {
    return (
      <Section id="depoimentos" title="Depoimentos" lead="Palavras de clientes, publicadas com autorização." isRaised>
        <ul className="grid gap-4 md:grid-cols-3">
          {testimonials.map(({ words, name, role }) => (
            <li key={name} className="rounded-2xl border border-line bg-canvas p-6">
              <MessageSquareQuote className="size-6 text-brand" aria-hidden />
              <blockquote className="mt-3">{words}</blockquote>
              <p className="mt-4 font-semibold">{name}</p>
              <p className="text-sm text-muted">{role}</p>
            </li>
          ))}
        </ul>
      </Section>
    );
  }
  return (
    <Section
      id="depoimentos"
      title="Antes dos depoimentos, os compromissos"
      lead="Só publicamos palavras de clientes de verdade, com autorização. Enquanto elas chegam, isto vale para todos."
      isRaised
    >
      <ul className="grid gap-4 md:grid-cols-3">
        {promises.map(({ icon: Icon, title, text }) => (
          <li key={title} className="rounded-2xl border border-line bg-canvas p-6">
            <Icon className="size-6 text-brand" aria-hidden />
            <h3 className="mt-3 text-lg">{title}</h3>
            <p className="mt-1.5 text-muted">{text}</p>
          </li>
        ))}
      </ul>
      {supportEmail && (
        <p className="mt-8 text-muted">
          Já usa o {productName}?{' '}
          <a
            className="inline-flex min-h-11 items-center font-semibold text-brand underline underline-offset-4"
            href={`mailto:${supportEmail}?subject=Meu%20depoimento`}
          >
            Conte como foi
          </a>
          .
        </p>
      )}
    </Section>
  );
}

export function Closing({ door }: { door: string }) {
  return (
    <section className="px-4 py-20 sm:py-28">
      <div className="mx-auto max-w-[1200px] rounded-3xl bg-brand px-6 py-16 text-center text-on-brand sm:py-20">
        <h2 className="text-3xl text-balance sm:text-5xl">Pronto para decolar?</h2>
        <p className="mx-auto mt-4 max-w-lg text-lg text-pretty">
          Sete dias grátis, com todas as ferramentas. Em cinco minutos a primeira automação está no ar.
        </p>
        <Button asChild className="mt-8 bg-surface text-ink hover:bg-sunken">
          <a href={door}>Criar minha conta</a>
        </Button>
      </div>
    </section>
  );
}

export function Footer() {
  const { productName } = configuration();
  const link = 'inline-flex min-h-11 min-w-11 items-center justify-center hover:text-ink';
  return (
    <footer className="border-t border-line">
      <nav aria-label="Rodapé" className="mx-auto flex max-w-[1200px] flex-wrap items-center gap-x-6 px-4 py-6 text-muted">
        <span className="mr-auto font-display font-bold text-ink">{productName}</span>
        <a className={link} href="/blog">
          Blog
        </a>
        <a className={link} href="/politica-de-privacidade">
          Política de Privacidade
        </a>
      </nav>
    </footer>
  );
}
