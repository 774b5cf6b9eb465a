import { Menu, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Logo } from '../../components/logo';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { configuration } from '../../lib/configuration';
import { pageWidth } from '../../components/frame-looks';
import { anchors, headerTexts } from './texts';

const solidAfterPx = 50;

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > solidAfterPx);
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  return isScrolled;
}

export function LandingHeader({ signUpPath }: { signUpPath: string }) {
  const isScrolled = useScrolled();
  const [isOpen, setOpen] = useState(false);
  const isSolid = isScrolled || isOpen;
  return (
    <header
      data-solid={isSolid}
      className={classes(
        'sticky top-0 z-30 transition-shadow duration-150',
        isSolid && 'bg-canvas/84 shadow-[0_1px_0_var(--rim)] backdrop-blur-[14px] backdrop-saturate-140',
      )}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
    >
      <nav aria-label={headerTexts.navigation} className={pageWidth}>
        <div className="flex min-h-16 flex-wrap items-center gap-x-0.5 sm:gap-x-2 lg:min-h-18">
          <a href="#inicio" className="mr-auto lg:mr-0">
            <Logo name={configuration().productName} className="max-[400px]:gap-[7px] max-[400px]:text-lg" />
          </a>
          <ul className="mx-auto hidden items-center lg:flex">
            {anchors.map(({ id, label }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center rounded-control px-3.5 text-md font-[550] text-muted hover:bg-sunken hover:text-ink"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
          <Button asChild variant="quiet" className="px-2 max-[345px]:hidden sm:px-3">
            <a href="/adm">{headerTexts.signIn}</a>
          </Button>
          <Button asChild variant="ink" className="px-2.5 sm:px-[18px]">
            <a href={signUpPath}>{headerTexts.signUp}</a>
          </Button>
          <Button
            variant="quiet"
            size="icon"
            className="shrink-0 text-muted lg:hidden"
            aria-label={isOpen ? headerTexts.closeMenu : headerTexts.openMenu}
            aria-expanded={isOpen}
            aria-controls="landing-menu"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? <X className="size-5" aria-hidden /> : <Menu className="size-5" aria-hidden />}
          </Button>
        </div>
        <ul id="landing-menu" hidden={!isOpen} className="pb-3 lg:hidden">
          {[...anchors.map(({ id, label }) => ({ href: `#${id}`, label })), { href: '/adm', label: headerTexts.signIn }].map(
            ({ href, label }) => (
              <li key={href} className={href === '/adm' ? 'min-[346px]:hidden' : undefined}>
                <a
                  href={href}
                  className="flex min-h-12 items-center rounded-control px-3 text-lg font-[550] hover:bg-sunken"
                  onClick={() => setOpen(false)}
                >
                  {label}
                </a>
              </li>
            ),
          )}
        </ul>
      </nav>
    </header>
  );
}
