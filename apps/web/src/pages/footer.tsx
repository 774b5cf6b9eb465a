import { Logo } from '../components/logo';
import { classes } from '../lib/classes';
import { configuration } from '../lib/configuration';
import { footerLinkLook, pageWidth } from '../components/frame-looks';
import { footerTexts as texts } from './texts';

/** The footer of every public page. Its links are plain ones, because the landing page has no router. */
export function Footer({ isOnNight = false }: { isOnNight?: boolean }) {
  const { productName, supportEmail, company } = configuration();
  const links = [
    ['/blog', texts.blog],
    ['/politica-de-privacidade', texts.privacy],
    ['/termos-de-uso', texts.terms],
    ...(supportEmail ? [[`mailto:${supportEmail}`, texts.support]] : []),
  ] as const;
  return (
    <footer className={classes('text-sm text-muted', isOnNight && 'night-foot')}>
      <div
        className={classes(
          pageWidth,
          'grid gap-x-8 gap-y-2 pt-7 pb-10 shadow-[0_-1px_0_var(--line)] min-[56.25rem]:grid-cols-[1fr_auto] min-[56.25rem]:items-center',
        )}
      >
        <a href="/" className="justify-self-start text-ink">
          <Logo name={productName} />
        </a>
        <nav aria-label={texts.label} className="flex flex-wrap gap-x-6">
          {links.map(([href, label]) => (
            <a key={href} href={href} className={footerLinkLook}>
              {label}
            </a>
          ))}
        </nav>
        <p className="empty:hidden">{company}</p>
      </div>
    </footer>
  );
}
