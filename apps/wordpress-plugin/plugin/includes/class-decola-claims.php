<?php
/**
 * Claims of articles and events.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Lets one request at a time work on an article, and answers repeated events with the stored answer. */
class Decola_Claims {

	/** Seconds after which a claim of a request that died may be taken over. Hosts end requests sooner. */
	const LEASE = 120;

	/** Seconds for which answers are kept: longer than the sender repeats. */
	const KEPT = 30 * DAY_IN_SECONDS;

	/** Tries, 0.1 s apart, to see the end of the other request that works on the same. */
	const PATIENCE = 20;

	/**
	 * Claims an event.
	 *
	 * @return array|null The stored answer (`status`, `response`) of a repeated event; null when it is to be carried out now.
	 * @throws Decola_Refusal When another request carries it out and does not end soon.
	 */
	public static function claim_event( string $message_id, string $data_hash ): ?array {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}decola_events WHERE created_at < %d LIMIT 200", time() - self::KEPT ) );
		for ( $try = 0; $try < self::PATIENCE; $try++ ) {
			$inserted = $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->prefix}decola_events (message_id, data_hash, lease_until, created_at) VALUES (%s, %s, %d, %d)", $message_id, $data_hash, time() + self::LEASE, time() ) );
			if ( $inserted ) {
				return null;
			}
			$row = $wpdb->get_row( $wpdb->prepare( "SELECT status, response, lease_until FROM {$wpdb->prefix}decola_events WHERE message_id = %s AND data_hash = %s", $message_id, $data_hash ), ARRAY_A );
			if ( $row && null !== $row['response'] ) {
				return array(
					'status'   => (int) $row['status'],
					'response' => (array) json_decode( $row['response'], true ),
				);
			}
			$taken_over = $row && (int) $row['lease_until'] < time() ? $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}decola_events SET lease_until = %d WHERE message_id = %s AND data_hash = %s AND response IS NULL AND lease_until = %d", time() + self::LEASE, $message_id, $data_hash, $row['lease_until'] ) ) : 0;
			if ( $taken_over ) {
				return null;
			}
			usleep( 100000 );
		}
		throw self::busy();
	}

	public static function store_answer( string $message_id, string $data_hash, int $status, array $response ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}decola_events SET status = %d, response = %s WHERE message_id = %s AND data_hash = %s", $status, wp_json_encode( $response ), $message_id, $data_hash ) );
	}

	/** A refused event may be sent again under the same id. */
	public static function release_event( string $message_id, string $data_hash ): void {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "DELETE FROM {$wpdb->prefix}decola_events WHERE message_id = %s AND data_hash = %s AND response IS NULL", $message_id, $data_hash ) );
	}

	/**
	 * Runs a function while no other request works on the article.
	 *
	 * @param callable $work Gets the article's row.
	 * @return mixed What the function returns.
	 * @throws Decola_Refusal When another request works on the article and does not end soon.
	 */
	public static function with_article( string $article_id, callable $work ) {
		global $wpdb;
		$key = wp_generate_password( 32, false );
		$wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO {$wpdb->prefix}decola_articles (article_id) VALUES (%s)", $article_id ) );
		for ( $try = 0; ! $wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}decola_articles SET lease_until = %d, lease_key = %s WHERE article_id = %s AND lease_until < %d", time() + self::LEASE, $key, $article_id, time() ) ); $try++ ) {
			if ( $try >= self::PATIENCE ) {
				throw self::busy();
			}
			usleep( 100000 );
		}
		try {
			return $work( self::article( $article_id ) );
		} finally {
			$wpdb->query( $wpdb->prepare( "UPDATE {$wpdb->prefix}decola_articles SET lease_until = 0 WHERE article_id = %s AND lease_key = %s", $article_id, $key ) );
		}
	}

	/** @return array|null */
	public static function article( string $article_id ): ?array {
		global $wpdb;
		return $wpdb->get_row( $wpdb->prepare( "SELECT article_id, post_id, revision, content_hash, source_hash, image_hash, attachment_id, state, saving_since FROM {$wpdb->prefix}decola_articles WHERE article_id = %s", $article_id ), ARRAY_A );
	}

	public static function update_article( string $article_id, array $values ): void {
		global $wpdb;
		$wpdb->update( $wpdb->prefix . 'decola_articles', $values, array( 'article_id' => $article_id ) );
	}

	private static function busy(): Decola_Refusal {
		return new Decola_Refusal( 503, 'busy', __( 'O site ainda está trabalhando neste artigo.', 'decola' ), array( 'retry_after' => 10 ) );
	}
}
