import type { DataType } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Loader2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../../components/ui/button';
import { ChoiceField, FieldError } from '../../../components/ui/field';
import { Failure } from '../../../components/ui/surface';
import { client, unwrap } from '../../../lib/api-client';
import { formatCount, formatDate } from '../../../lib/format';
import { useUser } from '../../../session/session';
import { extractedListTexts as texts } from '../texts';
import { firstExtractorPath } from '../../../lib/first-extractor';

/** Kinds of lists whose people other automations can use. */
const usableTypes: readonly DataType[] = ['followers', 'following', 'likes', 'comments', 'leads'];

interface ExtractedListRow {
  id: string;
  automation_name: string;
  data_type: DataType;
  total_records: number;
  created_at: string;
  /** Whether this is the newest list of its automation. */
  is_newest: boolean;
}

interface ExtractedListFieldProps {
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

/** Choice among the lists that extractors and prize wheels have collected: the newest of each, and on demand the older ones with their date. */
export function ExtractedListField({ value, onChange, error }: ExtractedListFieldProps) {
  const { id: userId } = useUser();
  const errorId = useId();
  const [isOlderShown, setOlderShown] = useState(false);
  const slots = useQuery({
    queryKey: ['get_extracted_slots', userId],
    queryFn: async () =>
      unwrap(
        await client().rpc('get_extracted_slots', {
          p_user_id: userId,
          p_allowed_types: usableTypes,
        }),
      ) as ExtractedListRow[],
  });
  if (slots.isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Loader2 className="size-4 animate-spin" aria-hidden /> {texts.loading}
      </p>
    );
  }
  if (slots.isLoadingError) return <Failure text={texts.loadFailed} onRetry={() => void slots.refetch()} />;
  if (slots.data.length === 0) {
    return (
      <div className="rounded-tile p-4 inset-ring-[1.5px] inset-ring-line">
        <p className="font-medium">{texts.empty.title}</p>
        <p className="text-muted">{texts.empty.text}</p>
        <Link to={firstExtractorPath} className="inline-flex min-h-11 items-center link">
          {texts.empty.create}
        </Link>
        {error && <FieldError id={errorId}>{error}</FieldError>}
      </div>
    );
  }
  // The chosen list is always shown, even when it is an older one.
  const shown = slots.data.filter(({ id, is_newest }) => isOlderShown || is_newest || id === value);
  const hidden = slots.data.length - shown.length;
  return (
    <div className="-m-1 max-h-64 overflow-y-auto p-1">
      <ChoiceField
        legend={texts.label}
        choices={shown.map(({ id, automation_name, data_type, total_records, created_at, is_newest }) => ({
          value: id,
          label: is_newest ? automation_name : texts.older(automation_name),
          description: texts.description(formatCount(total_records), texts.dataTypes[data_type], formatDate(created_at)),
        }))}
        value={value}
        onChange={onChange}
        error={error}
      />
      {hidden > 0 && (
        <Button variant="quiet" size="small" className="mt-2" onClick={() => setOlderShown(true)}>
          {texts.showOlder(hidden)}
        </Button>
      )}
    </div>
  );
}
