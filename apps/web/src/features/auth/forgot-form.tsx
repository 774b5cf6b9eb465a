import { useState } from 'react';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { adviceFor, toastText } from '../../lib/auth-errors';
import { authRequest } from '../../lib/auth-request';
import { toast } from '../../lib/toast';
import { EmailField, type EmailProps, emailRules } from './email-field';
import { RecoveryCodeForm } from './recovery-code-form';
import { forgotTexts as texts } from './texts';

/** Requests the mail for a forgotten password, then offers a field for the code in the mail, for people who cannot use its link. */
export function ForgotForm({ onBack, ...shared }: EmailProps & { onBack: () => void }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [hasCode, setHasCode] = useState(false);
  if (hasCode) return <RecoveryCodeForm {...shared} onBack={() => setHasCode(false)} />;
  return <RecoveryMailForm {...shared} sentTo={sentTo} onSent={setSentTo} onHasCode={() => setHasCode(true)} onBack={onBack} />;
}

interface RecoveryMailFormProps extends EmailProps {
  /** Email of the last mail that was sent. */
  sentTo: string | null;
  onSent: (email: string) => void;
  onHasCode: () => void;
  onBack: () => void;
}

function RecoveryMailForm({ email, onEmail, sentTo, onSent, onHasCode, onBack }: RecoveryMailFormProps) {
  const { field, handleSubmit, showError, failureToast, isSubmitting } = useValidatedForm({ email });
  const send = handleSubmit(async (values) => {
    const address = values.email.trim();
    const { error } = await authRequest((auth) => auth.resetPasswordForEmail(address, { redirectTo: `${window.location.origin}/auth` }));
    if (error) {
      failureToast.show(texts.failed, { description: toastText(error) });
      showError('email', adviceFor(error));
      return;
    }
    toast.success(texts.sent.title, { description: texts.sent.text });
    onSent(address);
  });
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={send}>
      {sentTo && <Notice tone="success">{texts.sentTo(sentTo)}</Notice>}
      <EmailField {...field('email', emailRules(onEmail))} />
      <SubmitButton isBusy={isSubmitting}>{sentTo ? texts.sendAgain : texts.send}</SubmitButton>
      <Button variant="quiet" className="whitespace-normal" onClick={onHasCode}>
        {texts.hasCode}
      </Button>
      <Button variant="quiet" className="whitespace-normal" onClick={onBack}>
        {texts.back}
      </Button>
    </form>
  );
}
