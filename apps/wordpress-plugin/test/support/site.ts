import type { WordPress } from '../../testing/wordpress.js';
import type { Sender } from './sender.js';

/** The WordPress that all suites share, and who sends it events. Set before the first test. */
export interface Bench {
  site: WordPress;
  sender: Sender;
}

export interface Post {
  ID: number;
  post_title: string;
  post_content: string;
  post_excerpt: string;
  post_status: string;
  post_name: string;
  post_author: string;
  categories: string[];
  tags: string[];
  thumbnail: number;
}

/** A post as WordPress stored it. */
export const postOf = (site: WordPress, id: number): Promise<Post | null> =>
  site.php<Post | null>(
    `clean_post_cache( $argument );
    $post = get_post( $argument );
    return $post ? (array) $post + [
      'categories' => wp_get_post_terms( $post->ID, 'category', [ 'fields' => 'names' ] ),
      'tags' => wp_get_post_terms( $post->ID, 'post_tag', [ 'fields' => 'names' ] ),
      'thumbnail' => (int) get_post_thumbnail_id( $post->ID ),
    ] : null;`,
    id,
  );

/** How many posts, also in the trash, an article has. */
export const countPosts = (site: WordPress, articleId: string): Promise<number> =>
  site.php<number>(
    `global $wpdb;
    return (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM {$wpdb->posts} WHERE post_type = 'post' AND guid LIKE %s", '%' . $argument ) );`,
    articleId,
  );

export const countAttachments = (site: WordPress, sha256: string): Promise<number> =>
  site.php<number>(
    `global $wpdb;
    return (int) $wpdb->get_var( $wpdb->prepare( "SELECT COUNT(*) FROM {$wpdb->posts} WHERE post_type = 'attachment' AND post_name LIKE %s", 'decola-' . substr( $argument, 0, 32 ) . '%' ) );`,
    sha256,
  );

/** Changes settings of the plugin; `reset` gives them back. */
export async function withSettings(site: WordPress, settings: Record<string, unknown>, work: () => Promise<void>): Promise<void> {
  const before = await site.php('return get_option( "decola_settings" );');
  await site.php('Decola_Settings::save( array_merge( Decola_Settings::all(), $argument ) );', settings);
  try {
    await work();
  } finally {
    await site.php('update_option( "decola_settings", $argument );', before);
  }
}
