import { CodeField, codeRules, normaliseCode } from '../../components/forms/code-field';
import { SubmitButton } from '../../components/forms/submit-button';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { refusalText } from '../../lib/auth-errors';
import { authRequest } from '../../lib/auth-request';
import { startRecovery } from '../../lib/mail-link';
import { EmailField, type EmailProps, emailRules } from './email-field';
import { recoveryCodeTexts as texts } from './texts';

/** The code of a recovery mail, for people whose link was used up by a mail scanner that opened it first. */
export function RecoveryCodeForm({ email, onEmail, onBack }: EmailProps & { onBack: () => void }) {
  const { field, handleSubmit, showError, isSubmitting } = useValidatedForm({ email, code: '' });
  const verify = handleSubmit(async (values) => {
    const { error } = await authRequest((auth) =>
      auth.verifyOtp({ email: values.email.trim(), token: normaliseCode(values.code), type: 'recovery' }),
    );
    // Stored, so that a reload of the page still asks for the new password.
    if (!error) startRecovery();
    else showError('code', error.code === 'otp_expired' ? texts.wrong : refusalText(error));
  });
  return (
    <form method="post" className="grid gap-5" noValidate onSubmit={verify}>
      <EmailField {...field('email', emailRules(onEmail))} autoFocus={email === ''} />
      <CodeField {...field('code', codeRules)} autoFocus={email !== ''} hint={texts.hint} />
      <SubmitButton isBusy={isSubmitting}>{texts.continue}</SubmitButton>
      <Button variant="quiet" className="whitespace-normal" onClick={onBack}>
        {texts.back}
      </Button>
    </form>
  );
}
