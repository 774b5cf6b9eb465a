import { ArrowRight, Pause, Play } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { pageWidth } from '../../components/frame-looks';
import { PanelPicture } from './panel-picture';
import { claims, heroProposals, heroTexts, heroWords } from './texts';
import { useTypewriter } from './use-typing';

interface HeroProps {
  signUpPath: string;
  isPaused: boolean;
  onPause: (isPaused: boolean) => void;
}

/** Types the words one after another. A component of its own, because it renders again with each letter. */
function TypedWord({ isPaused }: { isPaused: boolean }) {
  const { text, isTyping } = useTypewriter(heroWords, isPaused);
  return (
    <span aria-hidden className="block min-h-[0.98em] whitespace-nowrap">
      {text}
      {isTyping && <span className="caret" />}
    </span>
  );
}

export function Hero({ signUpPath, isPaused, onPause }: HeroProps) {
  const Icon = isPaused ? Play : Pause;
  return (
    <section id="inicio" className="hero -mt-16 scroll-mt-20 pt-26 pb-8 md:pb-16 lg:-mt-18 lg:pt-37 lg:pb-24">
      <div className={`${pageWidth} relative`}>
        <h1 className="text-hero leading-[0.98] font-[680] tracking-[-0.042em] [font-stretch:106%]">
          {heroTexts.title} <span className="sr-only">{heroWords[0]}</span>
          <TypedWord isPaused={isPaused} />
        </h1>
        <div className="mt-6 grid grid-cols-1 gap-6 lg:mt-9 lg:grid-cols-[minmax(0,33em)_auto] lg:items-end lg:justify-between">
          <p className="max-w-[34em] text-lg text-muted">
            <b className="font-semibold text-ink">{heroProposals.outcome}</b> {heroProposals.lead}
          </p>
          <div className="grid grid-cols-1 gap-2.5 sm:grid-cols-[auto_auto] sm:justify-start">
            <Button asChild size="large" className="max-sm:px-4 max-sm:whitespace-normal">
              <a href={signUpPath}>
                {heroTexts.start} <ArrowRight className="size-4" aria-hidden />
              </a>
            </Button>
            <Button asChild variant="secondary" size="large" className="max-sm:px-4 max-sm:whitespace-normal">
              <a href="#ferramentas">{heroTexts.seeTools}</a>
            </Button>
          </div>
        </div>
        <div className="mt-10 lg:mt-16">
          <PanelPicture />
        </div>
        <p className="mt-2.5 flex min-h-10 items-center justify-between gap-4 text-sm text-muted">
          {heroProposals.example}
          <Button variant="quiet" size="small" className="motion-reduce:hidden" onClick={() => onPause(!isPaused)}>
            <Icon className="size-4" aria-hidden /> {isPaused ? heroProposals.resume : heroProposals.pause}
          </Button>
        </p>
        <dl className="mt-8 flex flex-wrap justify-between gap-3 lg:absolute lg:top-1.5 lg:right-0 lg:mt-0 lg:grid lg:gap-2.5">
          {claims.map(({ value, label }) => (
            <div key={label} className="flex flex-col-reverse lg:grid lg:grid-cols-[76px_auto] lg:items-baseline">
              <dt className="text-sm text-muted lg:col-start-2 lg:row-start-1">{label}</dt>
              <dd className="display text-xl leading-tight tracking-[-0.03em]">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
