import { Menu, Rocket, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { configuration } from '../../lib/configuration';
import { anchors } from './content';

const solidAfterPx = 50;

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(() => window.scrollY > solidAfterPx);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > solidAfterPx);
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

export function LandingHeader() {
  const isScrolled = useScrolled();
  const [isOpen, setOpen] = useState(false);
  const isSolid = isScrolled || isOpen;
  return (
    <header
      data-solid={isSolid}
      className={classes(
        'sticky top-0 z-30 border-b transition-colors duration-200',
        isSolid ? 'border-line bg-surface/95 backdrop-blur' : 'border-transparent',
      )}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <nav aria-label="Principal" className="mx-auto max-w-[1200px] px-4">
        <div className="flex h-16 items-center gap-2">
          <a href="#inicio" className="flex min-h-11 items-center gap-2 font-display text-xl font-bold">
            <Rocket className="size-6 text-brand" aria-hidden /> {configuration().productName}
          </a>
          <ul className="ml-auto hidden items-center lg:flex">
            {anchors.map(({ id, label }) => (
              <li key={id}>
                <a href={`#${id}`} className="flex min-h-11 items-center rounded-lg px-4 font-medium hover:bg-sunken">
                  {label}
                </a>
              </li>
            ))}
          </ul>
          <Button asChild className="ml-auto lg:ml-4">
            <a href="/adm">Entrar</a>
          </Button>
          <button
            type="button"
            className="grid size-11 place-content-center rounded-xl hover:bg-sunken lg:hidden"
            aria-label={isOpen ? 'Fechar menu' : 'Abrir menu'}
            aria-expanded={isOpen}
            aria-controls="landing-menu"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <X className="size-6" aria-hidden /> : <Menu className="size-6" aria-hidden />}
          </button>
        </div>
        <ul id="landing-menu" hidden={!isOpen} className="pb-3 lg:hidden">
          {anchors.map(({ id, label }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="flex min-h-12 items-center rounded-lg px-3 text-lg font-medium hover:bg-sunken"
                onClick={() => setOpen(false)}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
