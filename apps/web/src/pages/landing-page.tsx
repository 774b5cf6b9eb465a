import { ArrowRight, FileText, Heart, MessageCircle, ShieldCheck, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../components/ui/button';
import { classes } from '../lib/classes';
import { configuration } from '../lib/runtime';

const words = ['seu Instagram', 'seu marketing', 'seu engajamento'];
const tools = [
  { icon: Users, title: 'Seguir e Desseguir', text: 'Por hashtag, por seguidores de um perfil ou pela sua lista.' },
  { icon: Heart, title: 'Curtidas automáticas', text: 'Nos posts de quem importa para o seu nicho.' },
  { icon: MessageCircle, title: 'Comentários automáticos', text: 'Com textos seus, alternados e naturais.' },
  { icon: FileText, title: 'Extrator de seguidores', text: 'A lista de qualquer perfil público em CSV.' },
  { icon: FileText, title: 'Extrator de interações', text: 'Quem curtiu ou comentou um post.' },
];
const plans = [
  { name: 'Gratuito', price: '7 dias grátis', items: ['1 slot ativo', 'Todas as ferramentas', 'Suporte básico'] },
  { name: 'Básico', price: 'R$ 89 por mês', items: ['3 slots ativos', 'Todas as ferramentas', 'Suporte prioritário'], popular: true },
  { name: 'Pro', price: 'R$ 149 por mês', items: ['6 slots ativos', 'Todas as ferramentas', 'Suporte VIP'] },
];
const testimonials = [
  { name: 'Marina, confeiteira', text: 'Configurei em cinco minutos e acompanho tudo pelo celular.' },
  { name: 'Rafael, personal', text: 'Quando o Instagram reclamou, parou na hora e me explicou o que fazer.' },
  { name: 'Estúdio Lume', text: 'A lista em CSV virou a base das nossas campanhas.' },
];

export function LandingPage() {
  const [word, setWord] = useState(0);
  const [isSolid, setSolid] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setWord((before) => (before + 1) % words.length), 2_400);
    const onScroll = () => setSolid(window.scrollY > 50);
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearInterval(timer);
      window.removeEventListener('scroll', onScroll);
    };
  }, []);
  const product = configuration().productName;
  return (
    <>
      <header className={classes('sticky top-0 z-30 transition-colors', isSolid && 'border-b border-line bg-surface/95 backdrop-blur')}>
        <nav className="mx-auto flex h-16 max-w-[1200px] items-center gap-6 px-4" aria-label="Principal">
          <a href="#inicio" className="font-display text-xl font-bold text-brand">
            {product}
          </a>
          <div className="ml-auto hidden gap-6 lg:flex">
            <a href="#inicio">Início</a>
            <a href="#ferramentas">Ferramentas</a>
            <a href="#planos">Planos</a>
            <a href="#depoimentos">Depoimentos</a>
          </div>
          <Button asChild size="small" className="ml-auto lg:ml-0">
            <Link to="/adm">Entrar</Link>
          </Button>
        </nav>
      </header>
      <main>
        <section id="inicio" className="mx-auto grid max-w-[1200px] gap-8 px-4 py-16 sm:py-24 lg:grid-cols-[1.2fr_1fr] lg:items-center">
          <div>
            <h1 className="text-4xl leading-tight font-bold sm:text-6xl">
              Decole <span className="block text-brand">{words[word]}</span>
            </h1>
            <p className="mt-5 max-w-xl text-lg text-muted">
              Automações que agem pelo seu próprio navegador, no ritmo certo, e param ao primeiro sinal do Instagram. Você vê tudo o que foi
              feito.
            </p>
            <div className="mt-8 flex flex-wrap gap-3">
              <Button asChild>
                <Link to="/auth">
                  Começar grátis <ArrowRight className="size-4" aria-hidden />
                </Link>
              </Button>
              <Button asChild variant="outline">
                <a href="#ferramentas">Ver ferramentas</a>
              </Button>
            </div>
            <dl className="mt-10 flex flex-wrap gap-8">
              {[
                ['10k+', 'usuários'],
                ['4.9/5', 'de avaliação'],
                ['100%', 'seguro'],
              ].map(([value, label]) => (
                <div key={label}>
                  <dt className="font-display text-2xl font-bold">{value}</dt>
                  <dd className="text-muted">{label}</dd>
                </div>
              ))}
            </dl>
          </div>
          <div className="grid gap-3" aria-hidden>
            {[
              ['Seguidores de @cafe.da.lia', 'obtidos 4.870 de 5.000', 'w-11/12'],
              ['Seguir quem usa #cafeteria', '3 de 3 confirmadas na última', 'w-full'],
              ['Artigos: café especial', 'próximo na segunda, 09:00', 'w-2/3'],
            ].map(([name, state, width]) => (
              <div key={name} className="rounded-2xl border border-line bg-surface p-5 shadow-sm">
                <p className="font-display font-semibold">{name}</p>
                <p className="text-sm text-muted">{state}</p>
                <div className="mt-3 h-2 rounded-full bg-sunken">
                  <div className={classes('h-full rounded-full bg-brand', width)} />
                </div>
              </div>
            ))}
          </div>
        </section>
        <section id="ferramentas" className="bg-surface py-16">
          <div className="mx-auto max-w-[1200px] px-4">
            <h2 className="text-3xl">Ferramentas</h2>
            <ul className="mt-6 grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
              {tools.map(({ icon: Icon, title, text }) => (
                <li key={title} className="rounded-2xl border border-line p-6">
                  <Icon className="size-7 text-brand" aria-hidden />
                  <h3 className="mt-3 text-lg">{title}</h3>
                  <p className="mt-1 text-muted">{text}</p>
                </li>
              ))}
            </ul>
          </div>
        </section>
        <section id="planos" className="mx-auto max-w-[1200px] px-4 py-16">
          <h2 className="text-3xl">Planos</h2>
          <ul className="mt-6 grid gap-4 md:grid-cols-3">
            {plans.map(({ name, price, items, popular }) => (
              <li key={name} className={classes('rounded-2xl border bg-surface p-6', popular ? 'border-2 border-brand' : 'border-line')}>
                {popular && <p className="font-semibold text-brand">Mais Popular</p>}
                <h3 className="text-xl">{name}</h3>
                <p className="mt-2 font-display text-2xl font-semibold whitespace-nowrap">{price}</p>
                <ul className="mt-4 grid gap-1.5 text-muted">
                  {items.map((item) => (
                    <li key={item}>{item}</li>
                  ))}
                </ul>
                <Button asChild className="mt-6 w-full" variant={popular ? 'primary' : 'outline'}>
                  <Link to="/auth">Escolher {name}</Link>
                </Button>
              </li>
            ))}
          </ul>
        </section>
        <section id="depoimentos" className="bg-surface py-16">
          <div className="mx-auto max-w-[1200px] px-4">
            <h2 className="text-3xl">Depoimentos</h2>
            <ul className="mt-6 grid gap-4 md:grid-cols-3">
              {testimonials.map(({ name, text }) => (
                <li key={name} className="rounded-2xl border border-line p-6">
                  <blockquote>{text}</blockquote>
                  <p className="mt-3 font-semibold text-muted">{name}</p>
                </li>
              ))}
            </ul>
          </div>
        </section>
        <section className="mx-auto max-w-[1200px] px-4 py-20 text-center">
          <ShieldCheck className="mx-auto size-10 text-brand" aria-hidden />
          <h2 className="mt-4 text-3xl">Hora de decolar</h2>
          <p className="mx-auto mt-2 max-w-lg text-muted">Sete dias grátis, cancele quando quiser.</p>
          <Button asChild className="mt-6">
            <Link to="/auth">Criar minha conta</Link>
          </Button>
        </section>
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-[1200px] flex-wrap gap-6 px-4 py-8 text-muted">
          <span>{product}</span>
          <Link to="/blog">Blog</Link>
          <Link to="/politica-de-privacidade">Política de Privacidade</Link>
        </div>
      </footer>
    </>
  );
}
