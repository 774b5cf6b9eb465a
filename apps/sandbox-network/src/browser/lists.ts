import type { Dom } from './dom.js';
import type { Follow } from './follow.js';
import type { Overlays } from './overlays.js';
import type { Answer, Transport } from './transport.js';
import type { Boot, Connection, Person, Status } from './types.js';

/**
 * Follower and following lists: a scrolling box that requests the next page near its end. Only visible rows exist as elements, so a long
 * list stays as quick as a short one. The browser receives the source text of this function, so it may use only its parameters and the
 * browser's globals.
 */
export function createLists(
  { texts, viewer, traits }: Boot,
  { h, spinner, css }: Dom,
  transport: Transport,
  overlays: Overlays,
  { followButton }: Follow,
) {
  const rowHeight = 60;
  /** Rows that exist above and below the visible ones. */
  const margin = 10;
  /** The next page is requested when fewer pixels than this are left below. */
  const nearEnd = 240;

  /** An element that loads and shows a whole list, or the results of a search in it. */
  const peopleList = (profileId: string, kind: 'followers' | 'following', onRow: (person: Person) => void, typed = ''): HTMLElement => {
    const people: Person[] = [];
    const statuses = new Map<string, Status>();
    const drawn = new Map<number, HTMLElement>();
    const canvas = h('div', { class: css('canvas') });
    const foot = h('div', { class: css('item') }, spinner());
    const box = h('div', { class: css('box') }, canvas, foot);
    let cursor: string | null = null;
    let isLoading = false;
    let isOver = false;

    const drawRow = (person: Person, place: number): HTMLElement => {
      const path = `/${person.username}/`;
      const status = statuses.get(person.pk);
      const row = h(
        'div',
        { class: css('person'), style: `top:${place * rowHeight}px` },
        h(
          'a',
          { href: path, role: 'link', tabindex: 0 },
          h('img', { class: css('avatar'), alt: '', src: person.profile_pic_url, width: 44, height: 44 }),
        ),
        h(
          'div',
          { class: css('names') },
          h('a', { href: path, role: 'link', tabindex: 0 }, h('div', {}, h('span', { class: css('name') }, person.username))),
          h('span', { class: css('second') }, person.full_name),
        ),
        status && person.pk !== viewer.id ? followButton(person, status, 'followers') : null,
      );
      return row;
    };

    const draw = (): void => {
      const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - margin);
      const last = Math.min(people.length, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + margin);
      for (const [place, row] of drawn)
        if (place < first || place >= last) {
          row.remove();
          drawn.delete(place);
        }
      for (let place = first; place < last; place++) {
        const person = people[place];
        if (!person || drawn.has(place)) continue;
        const row = drawRow(person, place);
        drawn.set(place, row);
        canvas.append(row);
      }
    };

    const showStatuses = async (page: Person[]): Promise<void> => {
      if (!box.isConnected) return;
      const answer = await transport.rest('POST', '/api/v1/friendships/show_many/', { user_ids: page.map(({ pk }) => pk).join(',') });
      if (answer.kind !== 'ok') return;
      for (const [pk, status] of Object.entries(answer.data.friendship_statuses as Record<string, Status>)) statuses.set(pk, status);
      for (const [place, row] of drawn) {
        const person = people[place];
        if (!person || !page.includes(person)) continue;
        const fresh = drawRow(person, place);
        row.replaceWith(fresh);
        drawn.set(place, fresh);
      }
    };

    const ask = async (): Promise<{ answer: Answer; people: Person[]; next: string | null; isLimited: boolean }> => {
      if (traits.listsBy === 'graphql') {
        const answer = await transport.graphql('usePolarisGetFollowListQuery', {
          after: cursor,
          before: null,
          count: 12,
          first: 12,
          last: null,
          list: kind,
          query: typed,
          userID: profileId,
        });
        const root = `xdt_api__v1__friendships__${kind}__connection`;
        const connection = answer.kind === 'ok' ? (answer.data.data as Record<string, Connection | null>)[root] : null;
        return {
          answer: connection ? answer : { kind: 'failed', status: 200, body: null },
          // GraphQL rows have `id` but no `pk`.
          people: connection?.edges.map(({ node }) => ({ ...node, pk: node.id })) ?? [],
          next: connection?.page_info.has_next_page ? connection.page_info.end_cursor : null,
          isLimited: connection?.should_limit_list_of_followers ?? false,
        };
      }
      const query = new URLSearchParams({ count: '12' });
      if (kind === 'followers') query.set('search_surface', 'follow_list_page');
      if (typed) query.set('query', typed);
      if (cursor !== null) query.set('max_id', cursor);
      const answer = await transport.rest('GET', `/api/v1/friendships/${profileId}/${kind}/?${query.toString()}`);
      const page: Record<string, unknown> = answer.kind === 'ok' ? answer.data : {};
      return {
        answer,
        people: (page.users as Person[] | undefined) ?? [],
        next: (page.next_max_id as string | undefined) ?? null,
        isLimited: page.should_limit_list_of_followers === true,
      };
    };

    const load = async (): Promise<void> => {
      if (isLoading || isOver) return;
      isLoading = true;
      const { answer, people: page, next, isLimited } = await ask();
      isLoading = false;
      if (answer.kind !== 'ok') {
        // The spinner stays visible after a failure, as on the site.
        isOver = true;
        return overlays.showRefusal(answer);
      }
      cursor = next;
      isOver = cursor === null;
      for (const person of page) {
        people.push(person);
        onRow(person);
      }
      canvas.style.height = `${people.length * rowHeight}px`;
      if (isOver) foot.replaceChildren(isLimited ? h('div', { class: css('second') }, texts.limitedList) : '');
      draw();
      if (page.length > 0) setTimeout(() => void showStatuses(page), 500);
      check();
    };

    const check = (): void => {
      draw();
      if (box.isConnected && box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd) void load();
    };

    box.addEventListener('scroll', check, { passive: true });
    void load();
    return box;
  };

  return { peopleList };
}

export type Lists = ReturnType<typeof createLists>;
