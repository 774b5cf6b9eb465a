import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { Logo } from '../../components/logo';
import { Button } from '../../components/ui/button';
import { Card, Notice } from '../../components/ui/surface';
import { configuration } from '../../lib/configuration';
import { consumeMailLink } from '../../lib/mail-link';
import { usePageTitle } from '../../lib/page-title';
import { toast } from '../../lib/toast';
import { useMailLink } from '../../lib/use-mail-link';
import { useUser } from '../../session/session';
import { EmailForm } from './email-form';
import { ErasureCard } from './erasure-card';
import { ExportCard } from './export-card';
import { FactorsCard } from './factors-card';
import { NoticesCard } from './notices-card';
import { PasswordForm } from './password-form';
import { ProfileForm } from './profile-form';
import { SecurityEventsCard } from './security-events-card';
import { SessionsCard } from './sessions-card';
import { SettingsSection } from './settings-section';
import { accessDeniedTexts, accountPageTexts } from './texts';

/** `/minha-conta` for people who are signed in. */
export function AccountPage() {
  usePageTitle(accountPageTexts.title);
  const { id, email = '', new_email: pendingEmail } = useUser();
  const { text: linkText, isRefused } = useMailLink();
  useEffect(() => {
    if (consumeMailLink('email_change'))
      toast.success(accountPageTexts.emailConfirmed.title, { description: accountPageTexts.emailConfirmed.text(email) });
  }, [email]);
  return (
    <div className="grid grid-cols-1 gap-5 lg:gap-7">
      <h1 className="text-2xl outline-none">{accountPageTexts.title}</h1>
      {linkText && (
        <div role="alert">
          <Notice tone={isRefused ? 'warning' : 'success'}>{linkText}</Notice>
        </div>
      )}
      <div className="divide-y divide-line lit rounded-panel shadow-2">
        <SettingsSection title={accountPageTexts.profile.title} description={accountPageTexts.profile.description}>
          <ProfileForm userId={id} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.email.title} description={accountPageTexts.email.description}>
          <EmailForm current={email} pending={pendingEmail} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.notices.title} description={accountPageTexts.notices.description}>
          <NoticesCard userId={id} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.password.title} description={accountPageTexts.password.description}>
          <PasswordForm userId={id} email={email} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.factors.title} description={accountPageTexts.factors.description}>
          <FactorsCard userId={id} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.sessions.title} description={accountPageTexts.sessions.description}>
          <SessionsCard userId={id} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.events.title} description={accountPageTexts.events.description}>
          <SecurityEventsCard userId={id} />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.export.title} description={accountPageTexts.export.description}>
          <ExportCard />
        </SettingsSection>
        <SettingsSection title={accountPageTexts.erasure.title} description={accountPageTexts.erasure.description}>
          <ErasureCard email={email} />
        </SettingsSection>
      </div>
    </div>
  );
}

/** `/minha-conta` for everybody else. */
export function AccessDenied() {
  usePageTitle(accessDeniedTexts.title);
  const { text: linkText, isRefused } = useMailLink();
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-md grid-cols-1 content-center gap-6 p-4">
      <Link to="/" reloadDocument className="inline-flex justify-self-center rounded-control">
        <Logo name={configuration().productName} />
      </Link>
      {linkText && (
        <div role="alert">
          <Notice tone={isRefused ? 'warning' : 'success'}>
            {linkText}
            {isRefused && accessDeniedTexts.signInFirst}
          </Notice>
        </div>
      )}
      <Card className="grid justify-items-center gap-3 py-12 text-center">
        <h1 className="text-2xl outline-none">{accessDeniedTexts.title}</h1>
        <p className="text-muted">{accessDeniedTexts.text}</p>
        <Button asChild size="large" className="mt-2">
          <Link to="/auth" state={{ from: '/minha-conta' }}>
            {accessDeniedTexts.signIn}
          </Link>
        </Button>
      </Card>
    </main>
  );
}
