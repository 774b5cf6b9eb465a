import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { Button } from '../../components/ui/button';
import { configuration } from '../../lib/configuration';
import { isProbablySignedIn } from '../../lib/signed-in';
import { claims, heroWords } from './content';
import { LandingHeader } from './landing-header';
import { Closing, Footer, Plans, Testimonials, Tools } from './sections';
import { DashboardPicture, WheelTrial } from './showcase';
import { useTyping } from './use-typing';

/**
 * The first page of most visitors. It stands outside the app: no router, no client, no cache, so that it is light (its weight is a limit
 * of the build); its links are plain links.
 */
export function LandingPage() {
  const { productName } = configuration();
  useEffect(() => {
    document.title = `${productName} · Decole seu Instagram`;
  }, [productName]);
  const door = isProbablySignedIn() ? '/adm' : '/auth';
  return (
    <>
      <a
        href="#inicio"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:p-3"
      >
        Ir para o conteúdo
      </a>
      <LandingHeader />
      <main>
        <Hero door={door} />
        <Tools />
        <Wheel />
        <Plans door={door} />
        <Testimonials />
        <Closing door={door} />
      </main>
      <Footer />
    </>
  );
}

function Hero({ door }: { door: string }) {
  const { text, isTyping } = useTyping(heroWords);
  return (
    <section
      id="inicio"
      className="mx-auto grid max-w-[1200px] scroll-mt-16 gap-12 px-4 pt-10 pb-16 sm:pt-16 sm:pb-24 lg:grid-cols-[1.05fr_1fr] lg:items-center"
    >
      <div className="min-w-0">
        <h1 className="text-[2.5rem] leading-[1.1] font-bold sm:text-6xl lg:text-[4rem]">
          Decole <span className="sr-only">{heroWords[0]}</span>
          <span aria-hidden className="block min-h-[1.1em] whitespace-nowrap text-brand">
            {text}
            {isTyping && <span className="ml-1 inline-block h-[0.8em] w-[3px] animate-pulse bg-brand align-baseline" />}
          </span>
        </h1>
        <p className="mt-6 max-w-xl text-lg text-pretty text-muted sm:text-xl">
          Automações que agem pela sua própria sessão, no ritmo certo, e param ao primeiro sinal do Instagram. Você vê tudo o que foi feito.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          <Button asChild>
            <a href={door}>
              Começar grátis <ArrowRight className="size-4" aria-hidden />
            </a>
          </Button>
          <Button asChild variant="outline">
            <a href="#ferramentas">Ver ferramentas</a>
          </Button>
        </div>
        <dl className="mt-10 flex flex-wrap gap-x-10 gap-y-4">
          {claims.map(({ value, label }) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-muted">{label}</dt>
              <dd className="font-display text-2xl font-bold">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <DashboardPicture />
    </section>
  );
}

function Wheel() {
  return (
    <section
      aria-labelledby="wheel-title"
      className="mx-auto grid max-w-[1200px] gap-10 px-4 py-16 sm:py-24 lg:grid-cols-2 lg:items-center"
    >
      <div>
        <h2 id="wheel-title" className="text-3xl text-balance sm:text-4xl">
          Transforme visitas em contatos com a roleta de prêmios
        </h2>
        <p className="mt-3 max-w-xl text-lg text-pretty text-muted">
          Cadastre os prêmios, publique o link ou coloque no seu site. Cada pessoa gira uma vez, o estoque é respeitado e os dados chegam a
          você.
        </p>
      </div>
      <WheelTrial />
    </section>
  );
}
