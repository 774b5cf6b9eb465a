import type { Bench } from '../support/site.js';
import { anArticle } from '../support/sender.js';

export function uninstalling(bench: () => Bench) {
  describe('uninstalling', () => {
    it('leaves no row, option or table, and keeps posts and images; nothing of PHP was to be complained about before', async () => {
      const { site, sender } = bench();
      const id = await sender.deliver(anArticle());
      await site.php('set_transient( "decola_test_1", [ 1 ], 60 );');
      const left = () =>
        site.php<{ options: string[]; meta: number; tables: string[]; posts: number; images: number }>(
          `global $wpdb;
          return [
            'options' => $wpdb->get_col( "SELECT option_name FROM {$wpdb->options} WHERE option_name LIKE '%decola%' AND option_name NOT IN ( 'decola_test_options', 'active_plugins' )" ),
            'meta' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->postmeta} WHERE meta_key LIKE '%decola%'" ) + (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->usermeta} WHERE meta_key LIKE '%decola%'" ),
            'tables' => $wpdb->get_col( "SHOW TABLES LIKE '%decola%'" ),
            'posts' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->posts} WHERE guid LIKE '%?decola-article=%'" ),
            'images' => (int) $wpdb->get_var( "SELECT COUNT(*) FROM {$wpdb->posts} WHERE post_type = 'attachment'" ),
          ];`,
        );
      const before = await left();
      expect([before.tables.length, before.options.length > 3, before.meta > 0]).toEqual([3, true, true]);
      const ours = site
        .log()
        .split('\n')
        .filter((line) => line.includes('/plugins/decola/'));
      expect(ours).toEqual([]);

      // What a test noted about other plugins must not be removed with ours.
      await site.php(
        `require_once ABSPATH . 'wp-admin/includes/plugin.php';
        require_once ABSPATH . 'wp-admin/includes/file.php';
        deactivate_plugins( 'decola/decola.php' );
        wp_schedule_event( time() + 1000, 'daily', 'decola_pickup' );
        uninstall_plugin( 'decola/decola.php' );`,
      );
      const after = await left();
      expect(await site.php(`return wp_next_scheduled( 'decola_pickup' );`)).toBe(false);
      expect(after).toEqual({ options: [], meta: 0, tables: [], posts: before.posts, images: before.images });
      expect(await site.php('return get_post_status( $argument );', id)).toBe('publish');
    });
  });
}
