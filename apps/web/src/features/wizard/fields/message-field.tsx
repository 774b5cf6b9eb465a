import { TextField } from '../../../components/ui/field';
import { formatCount } from '../../../lib/format';
import { configurationTexts as texts } from '../texts';
import type { FieldsProps } from '../tools/tool-steps';
import { fieldProps } from './field-props';

interface MessageFieldProps extends FieldsProps {
  name: string;
  label: string;
  hint?: string;
  /** UTF-16 code units, as `maxlength` counts. */
  maxLength: number;
}

/** A long text with the number of characters that it has and may have. */
export function MessageField({ name, label, hint, maxLength, ...props }: MessageFieldProps) {
  const field = fieldProps(props, name);
  return (
    <div className="grid grid-cols-1 gap-1">
      <TextField isMultiline label={label} hint={hint} maxLength={maxLength} {...field} />
      <p className="justify-self-end text-sm text-muted tabular-nums">
        {texts.characters(formatCount(field.value.length), formatCount(maxLength))}
      </p>
    </div>
  );
}
