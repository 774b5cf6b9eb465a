import { CollectionProgress } from '../../components/automation-card';
import type { ExtractionRow } from './automations';

/** How far the list of an extraction is. */
export function ListProgress({ list }: { list: ExtractionRow }) {
  return (
    <CollectionProgress
      collected={list.total_records}
      total={list.profile_total}
      isRunning={list.state === 'running'}
      reason={list.state_reason}
      areComments={list.data_type === 'comments'}
    />
  );
}
