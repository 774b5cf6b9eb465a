import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/ui/button';
import { client, unwrap } from '../../lib/api-client';
import { formatCount } from '../../lib/format';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import type { ListedAutomation, Lists } from './automations';
import { downloadTexts as texts } from './texts';

interface LatestExtraction {
  csv_url: string;
  xlsx_url: string;
  file_name: string;
  total_records: number;
}

type Format = 'csv' | 'xlsx';

function fileOf(
  { csv_url: csvUrl, xlsx_url: xlsxUrl, file_name: csvName }: LatestExtraction,
  format: Format,
): { url: string; name: string } {
  return format === 'csv' ? { url: csvUrl, name: csvName } : { url: xlsxUrl, name: csvName.replace(/\.csv$/i, '.xlsx') };
}

interface DownloadButtonsProps {
  automation: Pick<ListedAutomation, 'id' | 'name'>;
  lists: Lists;
}

/** Downloads the newest list with people as CSV or XLSX, also while a new list is being collected. The link is requested on click, since links expire. */
export function DownloadButtons({ automation: { id, name }, lists }: DownloadButtonsProps) {
  const failureToast = useErrorToast();
  const latest = useMutation({
    onMutate: failureToast.clear,
    mutationFn: async (_: Format) =>
      unwrap(await client().rpc('get_latest_extraction', { p_automation_id: id })) as LatestExtraction[] | LatestExtraction,
    onSuccess: (answer, format) => {
      const extraction = Array.isArray(answer) ? answer[0] : answer;
      if (!extraction) {
        failureToast.show(texts.nothing.title, { description: texts.nothing.text });
        return;
      }
      if (!extraction.csv_url) {
        failureToast.show(texts.notReady.title, { description: texts.notReady.text });
        return;
      }
      const file = fileOf(extraction, format);
      const link = document.createElement('a');
      link.href = file.url;
      link.download = file.name;
      link.click();
      toast.success(texts.started.title, { description: texts.started.text(formatCount(extraction.total_records)) });
    },
    onError: () => failureToast.show(texts.failed.title, { description: texts.failed.text }),
  });
  const list = lists.file;
  const count = list && formatCount(list.total_records);
  const isBusy = (format: Format) => latest.isPending && latest.variables === format;
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        variant="secondary"
        size="small"
        className="max-w-full px-3 py-1 whitespace-normal"
        onClick={() => latest.mutate('csv')}
        isBusy={isBusy('csv')}
        aria-label={count === undefined ? texts.buttonOf(name) : texts.csvOf(count, name)}
      >
        {count === undefined ? texts.button : texts.csv(count)}
      </Button>
      {list && (
        <Button
          variant="secondary"
          size="small"
          onClick={() => latest.mutate('xlsx')}
          isBusy={isBusy('xlsx')}
          aria-label={texts.xlsxOf(name)}
        >
          {texts.xlsx}
        </Button>
      )}
    </div>
  );
}
