import { client, unwrap } from './api-client';

export const blogAutomationsKey = (userId: string) => ['blog_automations', userId] as const;

/** All blog automations of a person, newest first: for their own sites and, of an administrator, for our own blog. Lists choose from them by `select`. */
export const blogAutomationsOf = <Row>(userId: string) => ({
  queryKey: blogAutomationsKey(userId),
  queryFn: async () =>
    unwrap(
      await client()
        .from('blog_automations')
        .select('*')
        .eq('user_id', userId)
        .order('created_at', { ascending: false })
        .overrideTypes<Row[], { merge: false }>(),
    ),
});
