<?php
/**
 * Diary of events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** The last events, as the owner reads them. */
class Decola_Diary {

	const SIZE = 200;

	public static function write( string $type, string $article_id, int $status, string $code, string $message ): void {
		global $wpdb;
		// Anybody can send requests that are refused: one a minute must not push everything else out of the diary.
		if ( 401 === $status ) {
			$recent = $wpdb->get_var( $wpdb->prepare( "SELECT id FROM {$wpdb->prefix}decola_diary WHERE status = 401 AND code = %s AND created_at > %d LIMIT 1", $code, time() - MINUTE_IN_SECONDS ) );
			if ( $recent ) {
				return;
			}
		}
		$wpdb->insert(
			$wpdb->prefix . 'decola_diary',
			array(
				'created_at' => time(),
				'type'       => substr( $type, 0, 40 ),
				'article_id' => substr( $article_id, 0, 64 ),
				'status'     => $status,
				'code'       => $code,
				'message'    => mb_substr( $message, 0, 400 ),
			)
		);
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}decola_diary WHERE id <= %d", $wpdb->insert_id - self::SIZE ) );
	}

	/** @return object[] Newest first. */
	public static function entries(): array {
		global $wpdb;
		return $wpdb->get_results( $wpdb->prepare( "SELECT created_at, type, article_id, status, code, message FROM {$wpdb->prefix}decola_diary ORDER BY id DESC LIMIT %d", self::SIZE ) );
	}

	/** @return object|null The last entry about an article. */
	public static function last_delivery() {
		global $wpdb;
		return $wpdb->get_row( $wpdb->prepare( "SELECT created_at, type, status, code, message FROM {$wpdb->prefix}decola_diary WHERE type LIKE %s AND type <> 'article.status' ORDER BY id DESC LIMIT 1", $wpdb->esc_like( 'article.' ) . '%' ) );
	}
}
