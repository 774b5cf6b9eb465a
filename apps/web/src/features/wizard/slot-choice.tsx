import { useQuery } from '@tanstack/react-query';
import { Loader2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useUser } from '../../app/session';
import { ChoiceField } from '../../components/ui/field';
import { Failure } from '../../components/ui/surface';
import { formatCount, formatDate } from '../../lib/format';
import { client, dataOf } from '../../lib/runtime';

interface SlotRow {
  id: string;
  automation_name: string;
  data_type: string;
  total_records: number;
  created_at: string;
}

const dataTypes: Record<string, string> = { followers: 'seguidores', following: 'seguindo', leads: 'leads' };

interface SlotChoiceProps {
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}

/** A list that an extractor or a wheel collected earlier. */
export function SlotChoice({ value, onChange, error }: SlotChoiceProps) {
  const { id: userId } = useUser();
  const slots = useQuery({
    queryKey: ['extracted-slots', userId],
    queryFn: async () =>
      dataOf(
        await client().rpc('get_extracted_slots', { p_user_id: userId, p_allowed_types: ['followers', 'following', 'leads'] }),
      ) as SlotRow[],
  });
  if (slots.isPending) {
    return (
      <p role="status" className="flex items-center gap-2 text-muted">
        <Loader2 className="size-4 animate-spin text-brand" aria-hidden /> Carregando slots...
      </p>
    );
  }
  if (slots.isLoadingError) return <Failure text="Não foi possível carregar os slots." onRetry={() => void slots.refetch()} />;
  if (slots.data.length === 0) {
    return (
      <div className="rounded-xl bg-sunken p-4">
        <p className="font-medium">Nenhum slot com dados extraídos encontrado</p>
        <p className="text-muted">Execute primeiro uma automação de extração para criar dados</p>
        <Link
          to="/automation/followers-following-extractor"
          className="inline-flex min-h-11 items-center font-semibold text-brand underline-offset-4 hover:underline"
        >
          Criar uma extração
        </Link>
        {error && (
          <p role="alert" className="mt-2 text-sm font-medium text-danger">
            {error}
          </p>
        )}
      </div>
    );
  }
  return (
    <div className="max-h-64 overflow-y-auto p-1">
      <ChoiceField
        legend="Slot de dados extraídos"
        choices={slots.data.map(({ id, automation_name, data_type, total_records, created_at }) => ({
          value: id,
          label: automation_name,
          description: `${formatCount(total_records)} ${dataTypes[data_type] ?? data_type} · ${formatDate(created_at)}`,
        }))}
        value={value}
        onChange={onChange}
        error={error}
      />
    </div>
  );
}
