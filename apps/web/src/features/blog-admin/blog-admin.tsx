import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { client, unwrap } from '../../lib/api-client';
import { useSession } from '../../session/session';
import { BlogPanel } from './blog-panel';
import { CardTools } from './card-tools';
import { Part } from './part';

const LiveUpdates = lazy(() => import('./live-updates').then((module) => ({ default: module.LiveUpdates })));

interface RoleRow {
  id: string;
  role: string;
  created_at: string;
}

/** Whether the signed-in person is admin_master, as the server says now; false until it has answered. */
function useIsAdminMaster(userId: string | undefined): boolean {
  const roles = useQuery({
    queryKey: ['user_roles', userId],
    queryFn: async () =>
      unwrap(
        await client()
          .from('user_roles')
          .select('id,role,created_at')
          .eq('user_id', userId ?? '')
          .overrideTypes<RoleRow[], { merge: false }>(),
      ),
    enabled: userId !== undefined,
  });
  return roles.data?.some(({ role }) => role === 'admin_master') ?? false;
}

/** The panel and the cards' buttons; nothing for everybody but admin_master. */
export function BlogAdmin() {
  const { session } = useSession();
  const userId = session?.user.id;
  const isAdminMaster = useIsAdminMaster(userId);
  return userId !== undefined && isAdminMaster ? <AdminTools userId={userId} /> : null;
}

function AdminTools({ userId }: { userId: string }) {
  return (
    <>
      <Part fallback={null} failure={null}>
        <LiveUpdates userId={userId} />
      </Part>
      <BlogPanel userId={userId} />
      <CardTools />
    </>
  );
}
