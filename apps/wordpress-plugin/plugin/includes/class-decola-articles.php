<?php
/**
 * Posts of articles.
 *
 * @package Decola
 */

defined( 'ABSPATH' ) || exit;

/** Creates, updates, publishes and withdraws the post of an article. One article has one post, whatever is repeated or lost. */
class Decola_Articles {

	/** Creates or updates the draft; an update of a published article changes the published post. */
	public static function prepare( array $data ): array {
		$article_id = self::id_of( $data );
		return Decola_Claims::with_article(
			$article_id,
			function ( array $row ) use ( $data, $article_id ) {
				$revision = isset( $data['revision'] ) ? (int) $data['revision'] : 1;
				$post     = self::post_of( $row );
				if ( $post && $revision < (int) $row['revision'] ) {
					throw new Decola_Refusal( 409, 'stale_revision', __( 'Este site já tem uma versão mais nova do artigo.', 'decola' ), self::facts( $post ) );
				}
				$source = hash( 'sha256', (string) wp_json_encode( array_diff_key( $data, array( 'force' => 1 ) ) ) );
				self::refuse_trashed( $article_id, $post, ! $post && $row['post_id'] );
				if ( $post ) {
					self::refuse_edited( $row, $post, $data );
					if ( $source === $row['source_hash'] && ! self::is_edited( $row, $post ) ) {
						return self::prepared( $article_id );
					}
				}
				$post_id = self::save( $data, $article_id, $post );
				self::remember(
					$article_id,
					$post_id,
					array(
						'revision'    => $revision,
						'source_hash' => $source,
						'state'       => $post ? $row['state'] : 'prepared',
					)
				);
				return self::prepared( $article_id );
			}
		);
	}

	/** Gives the post its status; last, because plugins that share new posts look for the image then. */
	public static function publish( array $data ): array {
		$article_id = self::id_of( $data );
		return Decola_Claims::with_article(
			$article_id,
			function ( array $row ) use ( $data, $article_id ) {
				$post = self::require_post( $row );
				self::refuse_trashed( $article_id, $post );
				self::refuse_edited( $row, $post, $data );
				$settings = Decola_Settings::all();
				$is_kept  = isset( $data['has_image'] ) && false === $data['has_image'] && 'required' === $settings['image'];
				$wanted   = $is_kept || 'draft' === $settings['status'] || ( isset( $data['status'] ) && 'draft' === $data['status'] ) ? 'draft' : 'publish';
				if ( 'publish' === $wanted && 'publish' !== $post->post_status ) {
					// The owner took it back, planned it or made it private.
					if ( empty( $data['force'] ) && ( 'draft' !== $post->post_status || 'published' === $row['state'] ) ) {
						throw self::edited( $post );
					}
					self::note_saving( $article_id );
					$saved = wp_update_post(
						array(
							'ID'          => $post->ID,
							'post_status' => 'publish',
						),
						true
					);
					self::require_saved( $saved );
				}
				self::remember( $article_id, $post->ID, array( 'state' => 'publish' === $wanted ? 'published' : $row['state'] ) );
				return self::facts( get_post( $post->ID ) ) + array( 'kept_as_draft' => $is_kept ? 'image_missing' : ( 'draft' === $wanted ? 'chosen' : null ) );
			}
		);
	}

	/** Takes the post off the public pages; its text, also an edited one, stays as a draft. */
	public static function withdraw( array $data ): array {
		$article_id = self::id_of( $data );
		return Decola_Claims::with_article(
			$article_id,
			function ( array $row ) use ( $article_id ) {
				$post = self::post_of( $row );
				if ( ! $post ) {
					return self::no_post( $row );
				}
				if ( in_array( $post->post_status, array( 'publish', 'future', 'pending', 'private' ), true ) ) {
					$is_edited = self::is_edited( $row, $post );
					$saved     = wp_update_post(
						array(
							'ID'          => $post->ID,
							'post_status' => 'draft',
						),
						true
					);
					self::require_saved( $saved );
					if ( $is_edited ) {
						Decola_Claims::update_article( $article_id, array( 'state' => 'withdrawn' ) );
						return self::facts( get_post( $post->ID ) );
					}
					self::remember( $article_id, $post->ID, array( 'state' => 'withdrawn' ) );
				} else {
					Decola_Claims::update_article( $article_id, array( 'state' => 'withdrawn' ) );
				}
				return self::facts( get_post( $post->ID ) );
			}
		);
	}

	/** @return array States of at most 50 articles. */
	public static function status( array $data ): array {
		$ids = isset( $data['article_ids'] ) && is_array( $data['article_ids'] ) ? array_slice( array_values( $data['article_ids'] ), 0, 50 ) : array();
		if ( ! $ids && isset( $data['article_id'] ) ) {
			$ids = array( $data['article_id'] );
		}
		$states = array();
		foreach ( $ids as $id ) {
			$article_id = self::id_of( array( 'article_id' => $id ) );
			$row        = Decola_Claims::article( $article_id );
			$post       = self::post_of( $row ? $row : array( 'article_id' => $article_id, 'post_id' => 0 ) );
			$states[]   = array( 'article_id' => $article_id ) + ( $post
				? self::facts( $post ) + array( 'edited' => $row ? self::is_edited( $row, $post ) : false )
				: self::no_post( $row ) );
		}
		return array( 'articles' => $states );
	}

	/** @return array Facts of an article whose post was deleted for ever, or never came. */
	private static function no_post( ?array $row ): array {
		$state = $row && $row['post_id'] ? 'deleted' : 'absent';
		return array(
			'state'  => $state,
			'status' => $state,
		);
	}

	/** @throws Decola_Refusal When it is missing or malformed. */
	public static function id_of( array $data ): string {
		$id = isset( $data['article_id'] ) && is_string( $data['article_id'] ) ? $data['article_id'] : '';
		if ( ! preg_match( '/^[A-Za-z0-9-]{1,64}$/', $id ) ) {
			throw new Decola_Refusal( 400, 'bad_event', __( 'O evento não diz de qual artigo fala.', 'decola' ) );
		}
		return $id;
	}

	/**
	 * The post of an article. A restored database, or a request that died, may have a post that the table does not know: it is found by
	 * what was written into the post's own row, and adopted.
	 *
	 * @return WP_Post|null Also a post in the trash; null when there is none, or when it was deleted for ever.
	 */
	public static function post_of( array $row ) {
		if ( $row['post_id'] ) {
			return get_post( (int) $row['post_id'] );
		}
		global $wpdb;
		$post_id = $wpdb->get_var( $wpdb->prepare( "SELECT post_id FROM {$wpdb->postmeta} WHERE meta_key = '_decola_article_id' AND meta_value = %s LIMIT 1", $row['article_id'] ) );
		if ( ! $post_id ) {
			$post_id = $wpdb->get_var( $wpdb->prepare( "SELECT ID FROM {$wpdb->posts} WHERE post_type = 'post' AND guid LIKE %s LIMIT 1", '%' . $wpdb->esc_like( '?decola-article=' . $row['article_id'] ) ) );
		}
		return $post_id ? get_post( (int) $post_id ) : null;
	}

	/** @throws Decola_Refusal When the article has no post yet. */
	public static function require_post( array $row ): WP_Post {
		$post = self::post_of( $row );
		if ( $post ) {
			return $post;
		}
		self::refuse_trashed( $row['article_id'], null, (bool) $row['post_id'] );
		throw new Decola_Refusal( 409, 'unknown_article', __( 'O rascunho deste artigo não existe neste site.', 'decola' ) );
	}

	/** @throws Decola_Refusal When the owner threw the post away: it is never created again. */
	public static function refuse_trashed( string $article_id, ?WP_Post $post, bool $is_deleted = false ): void {
		if ( ! $is_deleted && ( ! $post || 'trash' !== $post->post_status ) ) {
			return;
		}
		Decola_Claims::update_article( $article_id, array( 'state' => 'withdrawn' ) );
		throw new Decola_Refusal( 409, 'trashed', __( 'O artigo foi apagado no seu WordPress; não o criamos de novo.', 'decola' ), $post ? self::facts( $post ) : array( 'status' => 'deleted' ) );
	}

	/** @throws Decola_Refusal When the owner edited the post and nobody decided to replace it. */
	public static function refuse_edited( array $row, WP_Post $post, array $data ): void {
		if ( empty( $data['force'] ) && self::is_edited( $row, $post ) ) {
			throw self::edited( $post );
		}
	}

	private static function edited( WP_Post $post ): Decola_Refusal {
		return new Decola_Refusal( 409, 'edited_by_owner', __( 'Você editou este artigo; não mexemos nele', 'decola' ), self::facts( $post ) );
	}

	/** Compares with what this site stored, because other plugins rewrite texts when they are saved. */
	public static function is_edited( array $row, WP_Post $post ): bool {
		// A request that died between saving the post and noting it left a text that is ours.
		if ( $row['saving_since'] && strtotime( $post->post_modified_gmt . ' UTC' ) <= $row['saving_since'] + Decola_Claims::LEASE ) {
			return false;
		}
		$delivered = $row['content_hash'] ? $row['content_hash'] : (string) get_post_meta( $post->ID, '_decola_content_hash', true );
		return '' !== $delivered && ! hash_equals( $delivered, self::hash_of( $post ) );
	}

	private static function hash_of( WP_Post $post ): string {
		return hash( 'sha256', (string) wp_json_encode( array( $post->post_title, $post->post_content, $post->post_excerpt ) ) );
	}

	private static function save( array $data, string $article_id, ?WP_Post $post ): int {
		$title = Decola_Content::line( $data, 'title' );
		if ( '' === $title || ! isset( $data['content_base64'] ) || ! is_string( $data['content_base64'] ) ) {
			throw new Decola_Refusal( 400, 'bad_event', __( 'O artigo chegou sem título ou sem texto.', 'decola' ) );
		}
		$texts  = array(
			'title'       => Decola_Content::line( $data, 'meta_title' ),
			'description' => Decola_Content::line( $data, 'meta_description' ),
			'keyword'     => Decola_Content::line( $data, 'focus_keyword' ),
		);
		$fields = array(
			'post_title'   => $title,
			'post_content' => Decola_Content::from_base64( $data['content_base64'] ),
			'post_excerpt' => Decola_Content::line( $data, 'excerpt' ),
			'meta_input'   => Decola_Seo::meta( $post ? $post->ID : 0, $texts ) + array( '_decola_article_id' => $article_id ),
		);
		$delivered = $post ? Decola_Seo::delivered( $post->ID ) : array();
		if ( $post ) {
			self::note_saving( $article_id );
			$saved = wp_update_post( wp_slash( array( 'ID' => $post->ID ) + $fields ), true );
		} else {
			$saved = wp_insert_post(
				wp_slash(
					$fields + array(
						'post_type'     => 'post',
						'post_status'   => 'draft',
						// WordPress gives drafts no address of their own.
						'post_name'     => sanitize_title( isset( $data['slug'] ) && is_string( $data['slug'] ) ? $data['slug'] : $title ),
						'post_author'   => self::author( $data ),
						'post_category' => self::category( Decola_Content::line( $data, 'category' ) ),
						'tags_input'    => self::tags( isset( $data['tags'] ) && is_array( $data['tags'] ) ? $data['tags'] : array() ),
						// Written in the same row: finds the post when the request ends before the next query.
						'guid'          => home_url( '/?decola-article=' . $article_id ),
					)
				),
				true
			);
		}
		self::require_saved( $saved );
		Decola_Seo::save_elsewhere( (int) $saved, $texts, $delivered );
		return (int) $saved;
	}

	/** @param int|WP_Error $saved What WordPress returned. */
	private static function require_saved( $saved ): void {
		if ( is_wp_error( $saved ) || ! $saved ) {
			/* translators: %s: message of WordPress */
			throw new Decola_Refusal( 500, 'not_saved', sprintf( __( 'O WordPress não gravou o artigo: %s', 'decola' ), is_wp_error( $saved ) ? $saved->get_error_message() : '?' ) );
		}
	}

	private static function author( array $data ): int {
		$wanted = isset( $data['author_id'] ) ? absint( $data['author_id'] ) : 0;
		$author = Decola_Settings::may_write( $wanted ) ? $wanted : Decola_Settings::author();
		if ( 0 === $author ) {
			throw new Decola_Refusal( 409, 'no_author', __( 'Nenhum usuário deste site pode publicar artigos.', 'decola' ) );
		}
		return $author;
	}

	/** @return int[] */
	private static function category( string $name ): array {
		$settings = Decola_Settings::all();
		$term     = '' === $name ? false : get_term_by( 'name', $name, 'category' );
		if ( $term instanceof WP_Term ) {
			return array( $term->term_id );
		}
		if ( '' !== $name && $settings['create_terms'] ) {
			$created = wp_insert_term( wp_slash( $name ), 'category' );
			if ( is_array( $created ) ) {
				return array( (int) $created['term_id'] );
			}
			// Another request created it, or one with the same slug.
			$existing = $created->get_error_data( 'term_exists' );
			if ( $existing ) {
				return array( (int) $existing );
			}
		}
		return $settings['category'] && term_exists( $settings['category'], 'category' ) ? array( $settings['category'] ) : array();
	}

	/** @return string[] */
	private static function tags( array $names ): array {
		$names = array_slice( array_filter( array_map( array( 'Decola_Content', 'plain_text' ), array_filter( $names, 'is_string' ) ) ), 0, 20 );
		if ( Decola_Settings::all()['create_terms'] ) {
			return array_values( $names );
		}
		return array_values(
			array_filter(
				$names,
				function ( $name ) {
					return (bool) get_term_by( 'name', $name, 'post_tag' );
				}
			)
		);
	}

	private static function note_saving( string $article_id ): void {
		Decola_Claims::update_article( $article_id, array( 'saving_since' => time() ) );
	}

	/** Notes what the site stored, which is not always what was sent. */
	private static function remember( string $article_id, int $post_id, array $values ): void {
		clean_post_cache( $post_id );
		$hash = self::hash_of( get_post( $post_id ) );
		update_post_meta( $post_id, '_decola_content_hash', $hash );
		Decola_Claims::update_article( $article_id, $values + array( 'post_id' => $post_id, 'content_hash' => $hash, 'saving_since' => 0 ) );
	}

	private static function prepared( string $article_id ): array {
		$row = Decola_Claims::article( $article_id );
		return self::facts( get_post( (int) $row['post_id'] ) ) + array( 'content_hash' => $row['content_hash'] );
	}

	/** @return array What the sender may know of a post. */
	public static function facts( WP_Post $post ): array {
		return array(
			'post_id'  => (int) $post->ID,
			'state'    => $post->post_status,
			'status'   => $post->post_status,
			'url'      => (string) get_permalink( $post ),
			'edit_url' => admin_url( 'post.php?post=' . $post->ID . '&action=edit' ),
		);
	}
}
